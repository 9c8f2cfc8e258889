import type { CaptionTrack, EmbeddedCaptions } from '../../evidence/captions/caption-track.ts';
import type { Probe } from '../../evidence/probe-report.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { clock, count } from '../../words.ts';
import { uncaptioned } from './gaps.ts';
import type { RuleCode } from './rules.ts';
import { nameOf } from './tracks.ts';

/** Where it is loud enough to be speech. */
export type Activity = { active: readonly { startSeconds: number; endSeconds: number }[] };

/** Less sound than this, in all, is a jingle. */
export const soundSecondsMin = 5;
/** So much sound without a caption is worth a look; music and pauses are mostly shorter. */
export const gapSecondsMin = 15;

const unreadable: Readonly<Record<CaptionTrack['kind'], string>> = {
  text: 'are in a form that is not read here',
  bitmap: 'are pictures and not text',
  '608': 'lie within the pictures (CEA-608 or 708); whether there is any text in them is not known',
};

type Seen = { embedded: EmbeddedCaptions | null; probe: Probe; sound: Activity | null };

/** Has a film or sound the captions that its sound calls for, and can they be found? */
export function judgePresence(seen: Seen): Finding<RuleCode>[] {
  const tracks = seen.embedded?.tracks ?? [];
  return [
    ...(tracks.length === 0 ? judgeMissing(seen) : judgeGaps(tracks, seen.sound)),
    ...tracks.filter((track) => !track.language && !isWithinPictures(track, seen.probe)).map(judgeLanguage),
    ...judgeUnreadable(tracks),
  ];
}

function judgeMissing({ probe, sound }: Seen): Finding<RuleCode>[] {
  const seconds = (sound?.active ?? []).reduce(
    (sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds,
    0,
  );
  if (seconds < soundSecondsMin) return [];
  const isFilm = probe.streams.some(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture);
  const measure = {
    severityReasoning: `${clock(seconds)} of sound that may be speech, at least ${soundSecondsMin} s; whether it is speech was not recognised`,
    measured: Math.round(seconds * 10) / 10,
    limit: soundSecondsMin,
    unit: 's',
  };
  return [
    isFilm
      ? uncertain('CAPT-MISSING', {
          subject: 'no captions',
          summary:
            'The film has sound and carries no captions. If anyone speaks in it, add captions; if they travel in a file of their own, dismiss this.',
          ...measure,
        })
      : uncertain('CAPT-NO-TRANSCRIPT', {
          subject: 'no transcript',
          summary: 'A recording carries no captions. If anyone speaks in it, publish a transcript with it.',
          ...measure,
        }),
  ];
}

function judgeGaps(tracks: readonly CaptionTrack[], sound: Activity | null): Finding<RuleCode>[] {
  const cues = tracks.flatMap((track) => track.cues ?? []);
  // Those that cannot be read may fill any gap; without a single cue there is nothing between which to be one.
  if (!sound || cues.length === 0 || tracks.some((track) => track.cues === null)) return [];
  return uncaptioned(sound.active, cues, gapSecondsMin).map(({ startMs, endMs, activeSeconds }) =>
    uncertain('CAPT-GAP', {
      subject: 'sound without captions',
      summary: `From ${clock(startMs / 1000)} to ${clock(endMs / 1000)} there is sound, but no caption. If anyone speaks there, add what is said.`,
      severityReasoning: `${activeSeconds.toFixed(1)} s of sound that may be speech, at least ${gapSecondsMin} s; whether it is speech was not recognised`,
      measured: Math.round(activeSeconds * 10) / 10,
      limit: gapSecondsMin,
      unit: 's',
      locations: [{ kind: 'timeRange', startMs, endMs }],
    }),
  );
}

/** Such have no place for a language. */
function isWithinPictures({ streamIndex }: CaptionTrack, { streams }: Probe): boolean {
  return streams.some(({ index, kind }) => index === streamIndex && kind === 'video');
}

function judgeLanguage(track: CaptionTrack): Finding<RuleCode> {
  return certain('CAPT-LANGUAGE', {
    subject: `language of ${nameOf(track)}`,
    summary: `The captions in ${nameOf(track)} do not say which language they are in. Set the language of the track.`,
    severityReasoning: `The language of stream ${track.streamIndex} (${track.codec}) is not set`,
  });
}

function judgeUnreadable(tracks: readonly CaptionTrack[]): Finding<RuleCode>[] {
  const unread = Map.groupBy(
    tracks.filter(({ cues }) => cues === null),
    ({ kind }) => kind,
  );
  return [...unread].map(([kind, some]) =>
    uncertain('CAPT-UNREADABLE', {
      subject: `unread captions: ${kind}`,
      summary: `The captions in ${some.map(nameOf).slice(0, 8).join(', ')} ${unreadable[kind]}. Look at them in a player.`,
      severityReasoning: `${count(some.length, 'track')} of ${[...new Set(some.map(({ codec }) => codec))].join(', ')}, of which no text was read`,
      measured: some.length,
      limit: 0,
      unit: 'tracks',
    }),
  );
}
