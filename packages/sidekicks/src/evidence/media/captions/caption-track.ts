import type { Cue } from './parse-cues.ts';

/** What kept captions from being read. `damage` concerns a whole track or a part of it, what follows it only a part. */
export type UnreadCause =
  /** They are images, such as PGS, DVB and VobSub. */
  | 'images'
  /** No decoder of this service reads the format. */
  | 'format'
  /** CEA-608 or 708 in the frames of a video. */
  | 'videoFrames'
  /** SMPTE ST 436 data: captions may be among it. */
  | 'ancillaryData'
  | 'encryption'
  /** More tracks than are read. */
  | 'tooManyTracks'
  /** The tool exceeded a limit on time, memory or output. */
  | 'toolLimit'
  /** Packets that are missing or cannot be decoded: of the whole track, or of some captions. */
  | 'damage'
  | 'tooManyCues'
  | 'longText';

export type CaptionTrack = {
  streamIndex: number;
  /** ffprobe's name of the codec. */
  codec: string;
  language: string | null;
  /** `608`: CEA-608 or 708, as a separate track or in the video stream. */
  kind: 'text' | 'bitmap' | '608';
  /** Whether it declares itself to be for signs or foreign speech only, so that it need not cover all speech. */
  isForced: boolean;
  /** `null` if there may be captions that cannot be read. */
  cues: Cue[] | null;
  /** Why not all captions were read; empty if they were. */
  unread: UnreadCause[];
};

export type EmbeddedCaptions = {
  tracks: CaptionTrack[];
  /** Why the frames of the video were not searched for captions; `null` if they were, or cannot have any. */
  unsearched: UnreadCause | null;
};
