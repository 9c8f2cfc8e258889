import { createFlashAnalyser } from '@assay/sidekicks/evidence/media/decode/flashes/analyser.ts';
import type { FlashRun } from '@assay/sidekicks/evidence/media/decode/flashes/flashes.ts';
import { toPlanes } from '@assay/sidekicks/evidence/media/decode/flashes/samples/to-planes.ts';
import type { Clip } from './corpus.ts';
import { frameSize } from './render.ts';

/** The share on which the labels of all sets are based. */
const labelledShare = 0.25;
const srgbColour = {
  transfer: 'srgb',
  matrix: 'bt709',
  primaries: 'bt709',
  isFullRange: true,
  bits: 8,
  isRgb: true,
} as const;

/** Finds the flashes of a clip in all areas. */
export function analyseClip({ frameRate }: Clip, frames: Uint8Array[]): FlashRun[] {
  const analyser = createFlashAnalyser({ ...frameSize, ...srgbColour });
  const planes = new Map<Uint8Array, Uint8Array>();
  for (const [i, frame] of frames.entries()) {
    const converted = planes.get(frame) ?? toPlanes(frame);
    planes.set(frame, converted);
    analyser.next().set(converted);
    analyser.processFrame(i / frameRate);
  }
  return analyser.end();
}

/** The runs that fail a clip, in the area on which its label is based. */
export function failuresOf({ area }: Clip, runs: FlashRun[]): FlashRun[] {
  return runs.filter((run) => run.area === area && run.peakAreaShare >= labelledShare);
}
