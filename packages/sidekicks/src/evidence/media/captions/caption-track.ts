import type { Cue } from './parse-cues.ts';

export type CaptionTrack = {
  streamIndex: number;
  /** ffprobe's name of the codec. */
  codec: string;
  language: string | null;
  /** `608`: CEA-608 or 708, as a separate track or in the video stream. */
  kind: 'text' | 'bitmap' | '608';
  /** `null` if there may be captions that cannot be read. */
  cues: Cue[] | null;
};

export type EmbeddedCaptions = { tracks: CaptionTrack[] };
