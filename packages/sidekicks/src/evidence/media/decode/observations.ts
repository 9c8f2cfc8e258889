import { observeAudio } from './audio/observe-audio.ts';
import { observeLoudness } from './audio/observe-loudness.ts';
import type { ObservedFlashes } from './flashes/flashes.ts';
import type { ObserverDefinition } from './signal/observer.ts';
import { observeFields } from './video/observe-fields.ts';
import { observeFormatChange } from './video/observe-format-change.ts';
import { observeVideo } from './video/observe-video.ts';

/** All observations by name. Threads receive names because functions cannot be transferred. */
export const observations = {
  video: observeVideo,
  fields: observeFields,
  formatChange: observeFormatChange,
  loudness: observeLoudness,
  audio: observeAudio,
};

export type ObservationName = keyof typeof observations;
type ResultOf<O> = O extends ObserverDefinition<infer Result> ? Result : never;
/** The result of each observation; `null` if the file has no stream for it. */
export type Observed = { [Name in ObservationName]: ResultOf<(typeof observations)[Name]> | null } & {
  flashes: ObservedFlashes | null;
  /** When each frame is shown; null if the frames were not analysed in full. */
  frameTimes: Float64Array | null;
};
