import { createFlashAnalyser } from '@assay/sidekicks/evidence/pass/flashes/analyser.ts';
import type { FlashRun } from '@assay/sidekicks/evidence/pass/flashes/flashes.ts';
import { toPlanes } from '../../packages/sidekicks/src/evidence/pass/flashes/samples/to-planes.ts';
import type { Clip } from './corpus.ts';
import { pictureSize } from './render.ts';

/** The share that every set of the corpus is labelled by. */
const labelledShare = 0.25;
const colour = { transfer: 'srgb', matrix: 'bt709', isFullRange: true, isRgb: true } as const;

/** What is found in a clip, over all areas. */
export function lookAt({ frameRate }: Clip, pictures: Uint8Array[]): FlashRun[] {
  const analyser = createFlashAnalyser({ ...pictureSize, ...colour });
  const planes = new Map<Uint8Array, Uint8Array>();
  for (const [i, picture] of pictures.entries()) {
    const converted = planes.get(picture) ?? toPlanes(picture);
    planes.set(picture, converted);
    analyser.next().set(converted);
    analyser.see(i / frameRate);
  }
  return analyser.end();
}

/** The runs that fail a clip by the area that it is labelled by. */
export function failuresOf({ area }: Clip, runs: FlashRun[]): FlashRun[] {
  return runs.filter((run) => run.area === area && run.peakAreaShare >= labelledShare);
}
