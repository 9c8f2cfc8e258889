import type { AudioRecord } from '#evidence/media/decode/audio/observe-audio.ts';
import type { Programme } from '#evidence/media/probe/programmes.ts';
import { channelName, describeChannel } from '#sidekick/channel-name.ts';
import {
  formatCount,
  formatDecimals,
  formatInteger,
  formatLevel,
  formatPercent,
  formatSeconds,
  toMeasurement,
} from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import {
  edgeFields,
  isEdge,
  lengthOf,
  locationOf,
  locationsMax,
  placeOf,
  type RuleCode,
  rangesBeyondLimit,
} from './rules.ts';

const audibleSecondsMin = 1;
const identicalShareMin = 0.99;
const invertedSecondsMin = 2;
const invertedShareMin = 0.5;
/** Inverted phase for a smaller share of the time is an effect or a wide instrument, not a miswired cable. */
const invertedShareMajor = 0.1;
/** Shorter runs are not heard as distortion, however many there are: limiters and lossy codecs leave such overs. */
const audibleRunSeconds = 0.0005;
/** Fewer clipped runs per minute than this are single clicks. */
const runsPerMinuteMajor = 20;
const silenceDbfs = -60;
/** Reported as the level of a channel that contains only zeros. */
const digitalSilenceDbfs = -200;
/** Undeclared channels that are taken for 5.1 and 7.1, as the loudness meter does. */
const assumedSurroundChannels = [6, 8];

type QcLimits = Profile['limits']['qcPictureSound'];

/** What was recorded of each audio programme, the main one first. */
export function judgeProgrammes(
  records: readonly AudioRecord[],
  programmes: readonly Programme[],
  limits: QcLimits,
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  return records.flatMap((record, n) => {
    const programme = programmes[n];
    const findings = judgeAudio(record, limits, formatTime, channelsExpected(n, programme, record));
    if (programmes.length < 2 || !programme) return findings;
    // A spare track is silent. A track in a further language is not spare.
    const isSpare = n > 0 && (programme.language === null || programme.language === programmes[0]?.language);
    return findings
      .filter(({ ruleCode }) => !(isSpare && ruleCode === 'QC-SILENCE' && record.audibleSeconds === 0))
      .map((finding) => ({
        ...finding,
        ...(n > 0 && { subject: `${finding.subject}: ${programme.subject}` }),
        summary: nameProgramme(finding.summary, programme.name),
      }));
  });
}

/** Mono tracks that are only assumed to be a mix may be spare, except those that the main mix cannot do without. */
function channelsExpected(n: number, programme: Programme | undefined, { channels }: AudioRecord): number {
  if (!programme?.isAssumed) return channels.length;
  return n === 0 ? 2 : 0;
}

/** `Audio is silent …` → `Audio track 2 (fra): audio is silent …` */
function nameProgramme(summary: string, name: string): string {
  return `${capitalise(name)}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function judgeAudio(
  record: AudioRecord,
  limits: QcLimits,
  formatTime: FormatTime,
  expectedChannels: number,
): Finding<RuleCode>[] {
  return [
    ...judgeSilence(record, limits, formatTime),
    ...judgeClipping(record, formatTime),
    ...judgeStereo(record, formatTime),
    ...judgeChannels(record, expectedChannels),
  ];
}

function judgeSilence(
  { silence, durationSeconds }: AudioRecord,
  { silenceSecondsMax: limit }: QcLimits,
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  const stream = { startSeconds: 0, endSeconds: durationSeconds };
  return rangesBeyondLimit(silence, limit).map((range) => {
    const place = placeOf(range, stream);
    const length = formatSeconds(lengthOf(range), limit);
    const reasoning = `No channel above ${formatLevel(silenceDbfs)} dBFS for ${length}; limit ${formatSeconds(limit)}`;
    return uncertainFinding('QC-SILENCE', {
      subject: 'silence',
      summary:
        place === 'throughout'
          ? `The audio track is silent throughout (${length}). Check that the correct track was delivered.`
          : `Audio is silent for ${length} from ${formatTime(range.startSeconds)} to ${formatTime(range.endSeconds)} (limit ${formatSeconds(limit)}). Restore the audio unless the silence is intended.`,
      severityReasoning: reasoning,
      measured: toMeasurement(lengthOf(range)),
      limit,
      unit: 's',
      locations: [locationOf(range)],
      // Many videos are meant to be silent and have a track only because an encoder adds one.
      ...(place === 'throughout' && { severityMax: 'MINOR' as const }),
      ...(isEdge(range, stream) && edgeFields(reasoning, place)),
    });
  });
}

function judgeClipping({ clipping, sampleRate, durationSeconds }: AudioRecord, formatTime: FormatTime) {
  const { runCount, longestRunSamples, ranges } = clipping;
  const first = ranges[0];
  if (!first) return [];
  const where = runCount === 1 ? 'once, at' : `${formatInteger(runCount)} times, first at`;
  const longestSeconds = longestRunSamples / sampleRate;
  const isSustained = longestSeconds >= audibleRunSeconds && runCount >= (runsPerMinuteMajor * durationSeconds) / 60;
  const advice =
    longestSeconds < audibleRunSeconds
      ? 'The runs are too short to be heard as distortion; lower the level by 1 dB at the next export.'
      : 'Mix it again at a lower level; clipped samples cannot be restored.';
  return [
    certainFinding('QC-CLIPPING', {
      subject: 'clipping',
      summary: `Audio is clipped ${where} ${formatTime(first.startSeconds)}. ${advice}`,
      severityReasoning: `${formatCount(runCount, 'run')} of 3 or more samples at full scale; the longest has ${formatCount(longestRunSamples, 'sample')} (${formatDecimals(longestSeconds * 1000, 2)} ms)`,
      measured: runCount,
      limit: 0,
      unit: 'clipped runs',
      locations: ranges.slice(0, locationsMax).map(locationOf),
      ...(!isSustained && { severityMax: 'MINOR' as const }),
    }),
  ];
}

function judgeStereo({ stereo }: AudioRecord, formatTime: FormatTime): Finding<RuleCode>[] {
  if (!stereo || stereo.audibleSeconds < audibleSecondsMin) return [];
  const { audibleSeconds, identicalSeconds, invertedSeconds, inverted } = stereo;
  const isLong = inverted.some((range) => toMeasurement(lengthOf(range)) > invertedSecondsMin);
  const halfSeconds = toMeasurement(invertedShareMin * audibleSeconds);
  if (isLong || toMeasurement(invertedSeconds) > halfSeconds) {
    return [
      certainFinding('QC-PHASE', {
        subject: 'phase',
        summary: `Left and right are out of phase in ${formatPercent(invertedSeconds / audibleSeconds)} of the audio, first at ${formatTime(inverted[0]?.startSeconds ?? 0)}. Invert the polarity of one channel.`,
        severityReasoning: `Correlation of left and right below −0.9 for ${formatSeconds(invertedSeconds)} of ${formatSeconds(audibleSeconds)} of audio; threshold: ${formatSeconds(invertedSecondsMin)} in a row, or ${formatPercent(invertedShareMin)}`,
        measured: toMeasurement(invertedSeconds),
        limit: isLong ? invertedSecondsMin : halfSeconds,
        unit: 's',
        locations: inverted.slice(0, locationsMax).map(locationOf),
        confidence: 0.95,
        ...(invertedSeconds < invertedShareMajor * audibleSeconds && { severityMax: 'MINOR' as const }),
      }),
    ];
  }
  const identicalShare = identicalSeconds / audibleSeconds;
  if (toMeasurement(100 * identicalShare) <= identicalShareMin * 100) return [];
  return [
    certainFinding('QC-DUAL-MONO', {
      subject: 'dual mono',
      summary:
        'Left and right carry the same audio. This is usual for a voice; if there is a stereo mix, deliver that instead.',
      severityReasoning: `The difference between left and right stays below −50.0 dB for ${formatPercent(identicalShare)} of the audio (${formatSeconds(audibleSeconds)}); threshold: ${formatPercent(identicalShareMin)}`,
      measured: toMeasurement(100 * identicalShare),
      limit: identicalShareMin * 100,
      unit: '% of the audio',
    }),
  ];
}

function judgeChannels({ channels, audibleSeconds, layout }: AudioRecord, expectedChannels: number) {
  if (audibleSeconds < audibleSecondsMin) return [];
  // An LFE channel is silent most of the time.
  const lfe = lfeChannelsOf(channels.length, layout);
  return channels.flatMap(({ audibleSeconds: own, peakDb }, channel) => {
    if (own > 0 || lfe.includes(channel) || channel >= expectedChannels) return [];
    const name = describeChannel(channel, channels.length, layout);
    const peak = peakDb === null ? 'digital silence' : `${formatLevel(peakDb)} dBFS`;
    return certainFinding('QC-SILENT-CHANNEL', {
      subject: `silent channel: ${channelName(channel, channels.length, layout)}`,
      summary: `${capitalise(name)} is silent throughout, while other channels carry audio. Check the mix and the channel assignment.`,
      severityReasoning: `Highest sample of ${name}: ${peak}; below ${formatLevel(silenceDbfs)} dBFS is silence`,
      measured: toMeasurement(peakDb ?? digitalSilenceDbfs),
      limit: silenceDbfs,
      unit: 'dBFS',
    });
  });
}

/**
 * The LFE channels of a layout in ffmpeg's names: `5.1(side)`, or `3 channels (FL+FR+LFE)`. In every layout with a centre
 * they follow it.
 */
export function lfeChannelsOf(channels: number, layout: string | null): number[] {
  const listed = /\(([A-Z0-9+]+)\)$/.exec(layout ?? '')?.[1];
  if (listed?.includes('+')) return listed.split('+').flatMap((name, i) => (/^LFE2?$/.test(name) ? i : []));
  const named = /^(\d+)\.([12])/.exec(layout ?? '');
  if (!named) return isUndeclared(layout) && assumedSurroundChannels.includes(channels) ? [3] : [];
  if (layout === '22.2') return [3, 18];
  return [named[1] === '2' || layout === '6.1(front)' ? 2 : 3];
}

function isUndeclared(layout: string | null): boolean {
  return layout === null || layout === 'unknown' || /^\d+ channels$/.test(layout);
}
