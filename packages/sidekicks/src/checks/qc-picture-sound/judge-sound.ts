import type { SoundRecord } from '../../evidence/pass/sound/observe-sound.ts';
import type { Profile } from '../../profile.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import { channelName } from '../loudness/words.ts';
import { lengthOf, placeOf, placesMax, type RuleCode, rounded, tooLong } from './rules.ts';

const soundingSecondsMin = 1;
const identicalShareMin = 0.99;
const invertedSecondsMin = 2;
const invertedShareMin = 0.5;
/** Low frequencies: the channel of effects is silent most of the time. */
const effectsChannel = 3;

export function judgeSound(sound: SoundRecord, limits: Profile['sound']): Finding<RuleCode>[] {
  return [...judgeSilence(sound, limits), ...judgeClipping(sound), ...judgeStereo(sound), ...judgeChannels(sound)];
}

function judgeSilence({ silence, durationSeconds }: SoundRecord, { silenceSecondsMax }: Profile['sound']) {
  return tooLong(silence, silenceSecondsMax).map((range) => {
    const isAll = lengthOf(range) >= durationSeconds - 0.001;
    return uncertain('QC-SILENCE', {
      subject: 'silence',
      summary: isAll
        ? `There is a sound track, but it is silent throughout (${lengthOf(range).toFixed(1)} s). Check that the right one was delivered.`
        : `There is no sound for ${lengthOf(range).toFixed(1)} s from ${clock(range.startSeconds)}.`,
      severityReasoning: `${lengthOf(range).toFixed(2)} s in which no channel is above −60 dBFS; limit ${silenceSecondsMax} s`,
      measured: rounded(lengthOf(range)),
      limit: silenceSecondsMax,
      unit: 's',
      locations: [placeOf(range)],
    });
  });
}

function judgeClipping({ clipping }: SoundRecord): Finding<RuleCode>[] {
  const { runCount, longestRunSamples, ranges } = clipping;
  const first = ranges[0];
  if (!first) return [];
  const times = runCount === 1 ? 'once' : `${runCount.toLocaleString('en-GB')} times`;
  return [
    certain('QC-CLIPPING', {
      subject: 'clipping',
      summary: `The sound is clipped ${times}, first at ${clock(first.startSeconds)}. Mix it again with a lower level: what was cut off does not come back.`,
      severityReasoning: `${runCount} runs of three or more samples at full scale, the longest of ${longestRunSamples}`,
      measured: runCount,
      limit: 0,
      unit: 'clipped runs',
      locations: ranges.slice(0, placesMax).map(placeOf),
    }),
  ];
}

function judgeStereo({ stereo }: SoundRecord): Finding<RuleCode>[] {
  if (!stereo || stereo.soundingSeconds < soundingSecondsMin) return [];
  const { soundingSeconds, identicalSeconds, invertedSeconds, inverted } = stereo;
  const share = (seconds: number) => `${((100 * seconds) / soundingSeconds).toFixed(0)} %`;
  const isInverted =
    inverted.some((range) => lengthOf(range) >= invertedSecondsMin) ||
    invertedSeconds >= invertedShareMin * soundingSeconds;
  if (isInverted) {
    return [
      certain('QC-PHASE', {
        subject: 'phase',
        summary: `Left and right are out of phase in ${share(invertedSeconds)} of the sound, first at ${clock(inverted[0]?.startSeconds ?? 0)}. Invert one channel.`,
        severityReasoning: `Correlation of left and right below −0.9 for ${invertedSeconds.toFixed(1)} of ${soundingSeconds.toFixed(1)} s with sound`,
        measured: rounded(invertedSeconds, 1),
        limit: invertedSecondsMin,
        unit: 's',
        locations: inverted.slice(0, placesMax).map(placeOf),
        confidence: 0.95,
      }),
    ];
  }
  if (identicalSeconds < identicalShareMin * soundingSeconds) return [];
  return [
    certain('QC-DUAL-MONO', {
      subject: 'dual mono',
      summary:
        'Left and right carry the same sound. If a stereo mix exists, deliver that; if not, say that it is mono.',
      severityReasoning: `Left and right differ by less than −50 dB in ${share(identicalSeconds)} of ${soundingSeconds.toFixed(1)} s with sound`,
      measured: rounded((100 * identicalSeconds) / soundingSeconds, 1),
      limit: identicalShareMin * 100,
      unit: '% of the sound',
    }),
  ];
}

function judgeChannels({ channels, soundingSeconds, layout }: SoundRecord): Finding<RuleCode>[] {
  if (soundingSeconds < soundingSecondsMin) return [];
  const hasEffects = /^[57]\.1/.test(layout ?? '');
  return channels.flatMap(({ soundingSeconds: own, peakDb }, channel) => {
    if (own > 0 || (hasEffects && channel === effectsChannel)) return [];
    const name = channelName(channel, channels.length, layout);
    return certain('QC-SILENT-CHANNEL', {
      subject: `silent channel: ${name}`,
      summary: `The sound has ${channels.length} channels, but ${name} is silent throughout.`,
      severityReasoning: `Highest sample of ${name} ${peakDb === null ? 'is digital silence' : `${peakDb.toFixed(1)} dBFS`}; silence is what stays below −60 dBFS`,
      measured: rounded(peakDb ?? -200, 1),
      limit: -60,
      unit: 'dBFS',
    });
  });
}
