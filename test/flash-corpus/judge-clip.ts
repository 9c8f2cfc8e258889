import { createFlashAnalyser } from '@assay/sidekicks/evidence/pass/flashes/analyser.ts';
import type { FlashRun, FlashScreening } from '@assay/sidekicks/evidence/pass/flashes/flashes.ts';
import { screenFlashes } from '@assay/sidekicks/evidence/pass/flashes/screen-flashes.ts';
import type { Observer } from '@assay/sidekicks/evidence/pass/observer.ts';
import type { Clip } from './corpus.ts';
import { pictureSize, shrink } from './render.ts';

/** The share that every set of the corpus is labelled by. */
const labelledShare = 0.25;
const shrinkFactor = 6; // 320 × 180, as film.ts shrinks
const colour = { transfer: 'srgb', matrix: 'bt709' } as const;

/** What is found in a clip in full size, over all areas. */
export function lookAt({ frameRate }: Clip, pictures: Uint8Array[]): FlashRun[] {
  const analyser = createFlashAnalyser({ ...pictureSize, ...colour });
  for (const [i, picture] of pictures.entries()) analyser.see(picture, i / frameRate);
  return analyser.end();
}

/** The runs that fail a clip by the area that it is labelled by. */
export function failuresOf({ area }: Clip, runs: FlashRun[]): FlashRun[] {
  return runs.filter((run) => run.area === area && run.peakAreaShare >= labelledShare);
}

/** What is seen of a clip in small pictures, as a film is screened. */
export function screen({ frameRate }: Clip, pictures: Uint8Array[]): FlashScreening {
  const small = { width: pictureSize.width / shrinkFactor, height: pictureSize.height / shrinkFactor };
  const picture = { ...pictureSize, ...colour, frameRate, isFullRange: true, fieldOrder: null, small };
  const observer = screenFlashes.open({ durationSeconds: null, picture, sound: null }) as Observer<FlashScreening>;
  const shrunk = new Map<Uint8Array, Uint8Array>();
  for (const [index, full] of pictures.entries()) {
    const rgb = shrunk.get(full) ?? shrink(full, shrinkFactor);
    shrunk.set(full, rgb);
    observer.picture?.({ index, seconds: index / frameRate, rgb });
  }
  return observer.end();
}
