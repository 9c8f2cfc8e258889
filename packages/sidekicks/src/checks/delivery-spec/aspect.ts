import type { Facts } from './facts.ts';
import { toNumber } from './fraction.ts';

/** Widths are rounded to even pixels: 854×480 is 16:9. */
const displayTolerance = 0.005;
/** Bars are often a pixel or two too wide or too narrow, and their edges are soft. */
const activeTolerance = 0.01;
const edgePixels = 4;

/** The ratios that are shown in this form; others are shown as `1.850:1`. */
const usualRatios = ['16:9', '4:3', '1:1', '9:16', '3:4', '5:4'];

export function displayAspectOf({ video }: Facts): (string | null)[] {
  if (!video?.width || !video.height) return [null];
  const stored = (video.width * toNumber(video.sampleAspectRatio ?? '1:1')) / video.height;
  return [formatAspect(Math.abs(video.rotation) % 180 === 90 ? 1 / stored : stored)];
}

export function isSameAspect(ratio: string, expected: string, tolerance = displayTolerance): boolean {
  return Math.abs(aspectOf(ratio) / toNumber(expected) - 1) <= tolerance;
}

/** `full`, or the ratio and size inside the bars. Null if it could not be measured. */
export function activePictureOf(facts: Facts): (string | null)[] {
  const active = measureActivePicture(facts);
  if (!active) return [null];
  return [active.isFull ? 'full' : `${formatAspect(active.aspect)} (${active.width}×${active.height})`];
}

export function isActivePictureAccepted(facts: Facts, accepted: readonly string[]): boolean {
  const active = measureActivePicture(facts);
  if (!active) return true;
  const tolerance = Math.max(activeTolerance, edgePixels / Math.min(active.width, active.height) / 2);
  return accepted.some((expected) =>
    expected === 'full' ? active.isFull : Math.abs(active.aspect / toNumber(expected) - 1) <= tolerance,
  );
}

function measureActivePicture({ video, evidence: { activePicture } }: Facts) {
  if (!activePicture || 'notMeasured' in activePicture || !video?.width || !video.height) return null;
  const { width, height } = activePicture;
  const isWhole = (part: number, whole: number) => whole - part <= Math.max(edgePixels, activeTolerance * whole);
  return {
    width,
    height,
    isFull: isWhole(width, video.width) && isWhole(height, video.height),
    aspect: (width * toNumber(video.sampleAspectRatio ?? '1:1')) / height,
  };
}

function formatAspect(aspect: number): string {
  const usual = usualRatios.find((ratio) => Math.abs(aspect / toNumber(ratio) - 1) <= displayTolerance);
  return usual ?? `${aspect.toFixed(3)}:1`;
}

function aspectOf(shown: string): number {
  const [width = 0, height = 1] = shown.split(':').map(Number);
  return width / height;
}
