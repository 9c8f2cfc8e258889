import type { Bound } from '../bounded.ts';

const MiB = 1024 * 1024;

/**
 * Every bound on how much of a video, audio or caption file is examined, if it can leave a part out. Beyond the limits
 * of a tool on time and memory the asset fails, or the evidence says that it was not measured.
 */
export const mediaBounds = {
  /** Each costs about a hundredth of the duration. Masters have up to 16 mono tracks, discs up to 16 languages. */
  audioProgrammes: { max: 16, kind: 'audio_stream', label: 'audio programmes after the sixteenth' },
  /** No real video has more; timestamps that are broken can. With fields, each counts. */
  framesOfSecond: { max: 480, kind: 'frames', label: 'seconds with more than 480 frames' },
  captionTracks: { max: 8, kind: 'caption_track', label: 'caption tracks after the eighth' },
  captions: { max: 20_000, kind: 'caption_track', label: 'captions after the first 20,000' },
  captionCharacters: { max: 2000, kind: 'caption_track', label: 'text beyond 2,000 characters of a caption' },
  captionFileBytes: { max: 20 * MiB, kind: 'caption_track', label: 'captions after the first 20 MiB' },
} as const satisfies Record<string, Bound>;
