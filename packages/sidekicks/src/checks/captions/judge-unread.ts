import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { mediaBounds } from '#evidence/media/bounds.ts';
import type { CaptionTrack, EmbeddedCaptions, UnreadCause } from '#evidence/media/captions/caption-track.ts';
import { formatCount, formatInteger } from '#sidekick/format-values.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { RuleCode } from './rules.ts';
import { trackLabelOf, trackNameOf } from './tracks.ts';

/** Tracks that are not read for the same cause have a finding each, up to this many; the rest share one. */
export const tracksNamedMax = 8;

type UnreadDescription = {
  reason: NotExaminedReason;
  /** Continues the sentence that begins with `The captions in track 3 (eng)`. */
  what: string;
  remedy: string;
};

const review = 'Review them in a player.';

const descriptions: Readonly<Record<UnreadCause, UnreadDescription>> = {
  images: { reason: 'unsupported', what: 'are images, not text', remedy: review },
  format: { reason: 'unsupported', what: 'are in a format that cannot be read', remedy: review },
  videoFrames: {
    reason: 'unsupported',
    what: 'are CEA-608 or CEA-708 data in the video stream, whose text is not read',
    remedy: review,
  },
  ancillaryData: {
    reason: 'unsupported',
    what: 'cannot be read: if there are any, they are among its ancillary data (SMPTE ST 436)',
    remedy: review,
  },
  encryption: { reason: 'encrypted', what: 'are encrypted', remedy: 'Deliver them without encryption.' },
  tooManyTracks: {
    reason: 'limit_reached',
    what: `were not read, because no more than ${mediaBounds.captionTracks.max} tracks are`,
    remedy: review,
  },
  toolLimit: {
    reason: 'limit_reached',
    what: 'were not read, because reading them exceeded a limit on time, memory or size',
    remedy: review,
  },
  damage: {
    reason: 'damaged',
    what: 'were not all read, because data is missing, damaged or not UTF-8',
    remedy: 'Export the file again, with captions in UTF-8.',
  },
  tooManyCues: {
    reason: 'limit_reached',
    what: `were not all read, because there are more than ${formatInteger(mediaBounds.captions.max)}`,
    remedy: 'Review the rest in a player.',
  },
  longText: {
    reason: 'limit_reached',
    what: `were not all read, because one has more than ${formatInteger(mediaBounds.captionCharacters.max)} characters`,
    remedy: 'Split that caption.',
  },
};

/** How the coverage names the part of a track that was not read. */
const parts: Partial<Record<UnreadCause, string>> = {
  damage: 'captions that cannot be decoded',
  tooManyCues: mediaBounds.captions.label,
  longText: mediaBounds.captionCharacters.label,
};

/** Reports each track that was not read, or not as a whole, and video frames that were not searched for captions. */
export function judgeUnread({ tracks, unsearched }: EmbeddedCaptions): Finding<RuleCode>[] {
  const byCause = Map.groupBy(
    tracks.flatMap((track) => track.unread.map((cause) => ({ track, cause }))),
    ({ cause }) => cause,
  );
  return [
    ...[...byCause].flatMap(([cause, some]) => {
      const unread = some.map(({ track }) => track);
      const rest = unread.slice(tracksNamedMax);
      return [
        ...unread.slice(0, tracksNamedMax).map((track) => trackFinding(track, cause)),
        ...(rest.length > 0 ? [restFinding(rest, cause)] : []),
      ];
    }),
    ...(unsearched ? [framesFinding(unsearched)] : []),
  ];
}

function trackFinding(track: CaptionTrack, cause: UnreadCause): Finding<RuleCode> {
  const { reason, what, remedy } = descriptions[cause];
  const name = trackNameOf(track);
  const isWhole = track.cues === null;
  const label = isWhole ? trackLabelOf(track) : `${parts[cause] ?? 'captions'}, ${name}`;
  return notVerifiedFinding(
    'CAPT-UNREADABLE',
    { kind: 'caption_track', label, reason, share: isWhole ? 1 : null },
    {
      subject: isWhole ? `unread captions: ${track.kind}` : `unread captions: ${cause} of ${name}`,
      summary: `The captions in ${name} ${what}. ${remedy}`,
      severityReasoning: `${isWhole ? 'No text' : 'Not all text'} was read from ${name} (${track.codec})`,
      measured: 1,
      limit: 0,
      unit: 'tracks',
    },
  );
}

function restFinding(tracks: readonly CaptionTrack[], cause: UnreadCause): Finding<RuleCode> {
  const { reason, what, remedy } = descriptions[cause];
  const label = formatCount(tracks.length, 'more caption track');
  return notVerifiedFinding(
    'CAPT-UNREADABLE',
    { kind: 'caption_track', label, reason, share: null },
    {
      subject: `unread captions: ${cause} of more tracks`,
      summary: `The captions in ${label} ${what}. ${remedy}`,
      severityReasoning: `${label} (${[...new Set(tracks.map(({ codec }) => codec))].join(', ')})`,
      measured: tracks.length,
      limit: 0,
      unit: 'tracks',
    },
  );
}

function framesFinding(cause: UnreadCause): Finding<RuleCode> {
  const { reason } = descriptions[cause];
  return notVerifiedFinding(
    'CAPT-UNREADABLE',
    { kind: 'caption_track', label: 'captions in the frames of the video', reason, share: 1 },
    {
      subject: 'unread captions: video not searched',
      summary: `The video could not be searched for CEA-608 and CEA-708 captions, because ${reason === 'damaged' ? 'it is damaged' : 'that exceeded a limit on time, memory or size'}. Review it in a player.`,
      severityReasoning: 'No frame was searched for captions',
    },
  );
}
