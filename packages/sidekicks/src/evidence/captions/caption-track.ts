import type { Cue } from './parse-cues.ts';

export type CaptionTrack = {
  streamIndex: number;
  /** As ffprobe names it. */
  codec: string;
  language: string | null;
  /** `608`: CEA-608 or 708, as a track of its own or within the picture. */
  kind: 'text' | 'bitmap' | '608';
  /** `null`: there may be captions, but they cannot be read here. */
  cues: Cue[] | null;
};

export type EmbeddedCaptions = { tracks: CaptionTrack[] };
