import type { CaptionTrack, EmbeddedCaptions } from '#evidence/media/captions/caption-track.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { formatSeconds, toMeasurement } from '#sidekick/format-values.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { findGaps, type Gap } from './gaps.ts';
import type { RuleCode } from './rules.ts';
import { isVideo, trackNameOf } from './tracks.ts';

/** Ranges in which the audio is loud enough to be speech. */
export type Activity = { active: readonly { startSeconds: number; endSeconds: number }[] };

/** Audio of up to this total length counts as a jingle, which needs no captions. */
export const audioSecondsMin = 5;
/** Gaps with more audio than this are reported. Music and pauses are mostly shorter. */
export const gapSecondsMin = 15;

type PresenceEvidence = {
  embedded: EmbeddedCaptions | null;
  probe: Probe;
  audio: Activity | null;
  formatTime: FormatTime;
};

/** Reports missing captions, gaps in the captions, and tracks that have no language. */
export function judgePresence(evidence: PresenceEvidence): Finding<RuleCode>[] {
  const tracks = evidence.embedded?.tracks ?? [];
  return [
    ...judgeMissing(tracks, evidence),
    ...judgeGaps(tracks, evidence),
    ...tracks.filter((track) => !track.language && !isInVideoStream(track, evidence.probe)).map(judgeLanguage),
  ];
}

/** Captions for signs or foreign speech only are none for those who cannot hear, unless they cover all audio. */
function judgeMissing(tracks: readonly CaptionTrack[], { probe, audio }: PresenceEvidence): Finding<RuleCode>[] {
  const active = audio?.active ?? [];
  const seconds = active.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  const isWithout = tracks.every((track) => track.isForced && (!track.cues || gapsOf(track, active).length > 0));
  if (!isWithout || toMeasurement(seconds) <= audioSecondsMin) return [];
  const measure = measureSpeech(seconds, audioSecondsMin);
  const none =
    tracks.length === 0 ? 'no captions' : 'no captions except those for signs or foreign speech (forced subtitles)';
  return [
    isVideo(probe)
      ? uncertainFinding('CAPT-MISSING', {
          subject: 'no captions',
          summary: `The video has audio but ${none}. Add captions if there is speech, or dismiss this issue if captions are delivered as a separate file.`,
          ...measure,
        })
      : uncertainFinding('CAPT-NO-TRANSCRIPT', {
          subject: 'no transcript',
          summary: 'No captions found in the audio file. If there is speech, publish a transcript with the file.',
          ...measure,
        }),
  ];
}

/** A viewer sees one track at a time, so a track does not fill the gaps of another one. */
function judgeGaps(tracks: readonly CaptionTrack[], { audio, formatTime }: PresenceEvidence): Finding<RuleCode>[] {
  return tracks.flatMap((track) => {
    // A track without captions is reported as empty, and one for signs or foreign speech is meant to have gaps.
    if (!audio || !track.cues?.length || track.isForced) return [];
    const name = tracks.length > 1 ? trackNameOf(track) : null;
    return gapsOf(track, audio.active).map(({ startMs, endMs, activeSeconds }) =>
      uncertainFinding('CAPT-GAP', {
        subject: name ? `sound without captions: ${name}` : 'sound without captions',
        summary: `Audio without captions${name ? ` in ${name}` : ''} from ${formatTime(startMs / 1000)} to ${formatTime(endMs / 1000)}. Add captions if there is speech.`,
        ...measureSpeech(activeSeconds, gapSecondsMin),
        locations: [{ kind: 'timeRange', startMs, endMs }],
      }),
    );
  });
}

function gapsOf({ cues, unread }: CaptionTrack, active: Activity['active']): Gap[] {
  // After the last caption that was read, there may be more.
  const endSeconds = unread.includes('tooManyCues') ? (cues?.at(-1)?.startMs ?? 0) / 1000 : Number.POSITIVE_INFINITY;
  const within = active
    .filter(({ startSeconds }) => startSeconds < endSeconds)
    .map((range) => ({ ...range, endSeconds: Math.min(range.endSeconds, endSeconds) }));
  return findGaps(within, cues ?? [], gapSecondsMin);
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
