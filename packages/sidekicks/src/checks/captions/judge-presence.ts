import type { CaptionTrack, EmbeddedCaptions } from '#evidence/media/captions/caption-track.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { formatCount, formatSeconds, toMeasurement } from '#sidekick/format-values.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { findGaps } from './gaps.ts';
import type { RuleCode } from './rules.ts';
import { isVideo, trackNameOf } from './tracks.ts';

/** Ranges in which the audio is loud enough to be speech. */
export type Activity = { active: readonly { startSeconds: number; endSeconds: number }[] };

/** Audio of up to this total length counts as a jingle, which needs no captions. */
export const audioSecondsMin = 5;
/** Gaps with more audio than this are reported. Music and pauses are mostly shorter. */
export const gapSecondsMin = 15;

const tracksNamedMax = 8;

const unreadableKinds: Readonly<Record<CaptionTrack['kind'], string>> = {
  text: 'are in a format that cannot be read',
  bitmap: 'are images, not text',
  '608': 'are CEA-608 or CEA-708 data in the video stream, whose text is not read',
};

type PresenceEvidence = {
  embedded: EmbeddedCaptions | null;
  probe: Probe;
  audio: Activity | null;
  formatTime: FormatTime;
};

/** Reports missing captions, gaps in the captions, and tracks that have no language or cannot be read. */
export function judgePresence(evidence: PresenceEvidence): Finding<RuleCode>[] {
  const tracks = evidence.embedded?.tracks ?? [];
  return [
    ...(tracks.length === 0 ? judgeMissing(evidence) : judgeGaps(tracks, evidence)),
    ...tracks.filter((track) => !track.language && !isInVideoStream(track, evidence.probe)).map(judgeLanguage),
    ...judgeUnreadable(tracks),
  ];
}

function judgeMissing({ probe, audio }: PresenceEvidence): Finding<RuleCode>[] {
  const seconds = (audio?.active ?? []).reduce(
    (sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds,
    0,
  );
  if (toMeasurement(seconds) <= audioSecondsMin) return [];
  const measure = measureSpeech(seconds, audioSecondsMin);
  return [
    isVideo(probe)
      ? uncertainFinding('CAPT-MISSING', {
          subject: 'no captions',
          summary:
            'The video has audio but no captions. Add captions if there is speech, or dismiss this issue if captions are delivered as a separate file.',
          ...measure,
        })
      : uncertainFinding('CAPT-NO-TRANSCRIPT', {
          subject: 'no transcript',
          summary: 'No captions found in the audio file. If there is speech, publish a transcript with the file.',
          ...measure,
        }),
  ];
}

function judgeGaps(tracks: readonly CaptionTrack[], { audio, formatTime }: PresenceEvidence): Finding<RuleCode>[] {
  const cues = tracks.flatMap((track) => track.cues ?? []);
  // A track that cannot be read may fill any gap, and tracks without captions are reported as empty instead.
  if (!audio || cues.length === 0 || tracks.some((track) => track.cues === null)) return [];
  return findGaps(audio.active, cues, gapSecondsMin).map(({ startMs, endMs, activeSeconds }) =>
    uncertainFinding('CAPT-GAP', {
      subject: 'sound without captions',
      summary: `Audio without captions from ${formatTime(startMs / 1000)} to ${formatTime(endMs / 1000)}. Add captions if there is speech.`,
      ...measureSpeech(activeSeconds, gapSecondsMin),
      locations: [{ kind: 'timeRange', startMs, endMs }],
    }),
  );
}

function measureSpeech(seconds: number, limit: number) {
  return {
    severityReasoning: `${formatSeconds(seconds, limit)} of audio is loud enough to be speech (threshold: ${formatSeconds(limit)}); the check does not recognise speech itself`,
    measured: toMeasurement(seconds),
    limit,
    unit: 's',
  };
}

/** Captions in a video stream cannot have a language tag. */
function isInVideoStream({ streamIndex }: CaptionTrack, { streams }: Probe): boolean {
  return streams.some(({ index, kind }) => index === streamIndex && kind === 'video');
}

function judgeLanguage(track: CaptionTrack): Finding<RuleCode> {
  return certainFinding('CAPT-LANGUAGE', {
    subject: `language of ${trackNameOf(track)}`,
    summary: `The captions in ${trackNameOf(track)} have no language tag. Set the language of the track.`,
    severityReasoning: `No language is set for stream ${track.streamIndex} (${track.codec})`,
  });
}

function judgeUnreadable(tracks: readonly CaptionTrack[]): Finding<RuleCode>[] {
  const unread = Map.groupBy(
    tracks.filter(({ cues }) => cues === null),
    ({ kind }) => kind,
  );
  return [...unread].map(([kind, some]) =>
    uncertainFinding('CAPT-UNREADABLE', {
      subject: `unread captions: ${kind}`,
      summary: `The captions in ${some.map(trackNameOf).slice(0, tracksNamedMax).join(', ')} ${unreadableKinds[kind]}. Review them in a player.`,
      severityReasoning: `No text was read from ${formatCount(some.length, 'track')} (${[...new Set(some.map(({ codec }) => codec))].join(', ')})`,
      measured: some.length,
      limit: 0,
      unit: 'tracks',
    }),
  );
}
