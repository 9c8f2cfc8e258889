import type { Flashes } from './flashes/flashes.ts';
import type { Observation } from './observer.ts';
import { observeFields } from './picture/observe-fields.ts';
import { observePicture } from './picture/observe-picture.ts';
import { observeLoudness } from './sound/observe-loudness.ts';
import { observeSound } from './sound/observe-sound.ts';

/** Who can watch a decoding, by name: threads are told names, as they cannot be handed functions. */
export const observations = {
  picture: observePicture,
  fields: observeFields,
  loudness: observeLoudness,
  sound: observeSound,
};

export type ObservationName = keyof typeof observations;
type SeenBy<O> = O extends Observation<infer Seen> ? Seen : never;
/** What each has seen; `null` where the film has nothing for it. */
export type Seen = { [Name in ObservationName]: SeenBy<(typeof observations)[Name]> | null } & {
  flashes: Omit<Flashes, 'isWhole'> | null;
};
