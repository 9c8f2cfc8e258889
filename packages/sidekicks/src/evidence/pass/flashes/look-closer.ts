import type { Observation, SmallPicture } from '../observer.ts';
import { createFlashAnalyser } from './analyser.ts';
import type { FlashRun } from './flashes.ts';

/** Looks at every pixel of the pictures that it is shown, which for a closer look are as large as they matter. */
export const lookCloserAtFlashes: Observation<FlashRun[]> = {
  taps: ['picture'],
  open: ({ picture }) => {
    if (!picture) return null;
    const { see, end } = createFlashAnalyser({ ...picture, ...picture.small });
    return { picture: ({ rgb, seconds }: SmallPicture) => see(rgb, seconds), end };
  },
};
