/** An image scaled to `graySide` × `graySide` grey values, and its original aspect ratio (width / height). */
export type GrayImage = { gray: Uint8Array; aspectRatio: number };

export type Likeness = {
  /** Correlation coefficient of the grey values, −1 to 1. */
  correlation: number;
  /** 0 to 1: the share of the image that differs clearly after brightness and contrast are matched. */
  differingShare: number;
};

export const graySide = 128;
/** Smaller cells would also react to sharpening and compression. */
const cellsPerSide = 32;
/** A cell counts as different above this difference in grey. */
const cellDifferenceMin = 48;
/** Letterbox and pillarbox bars are dark and uniform. */
const barGrayMax = 40;
const barSpreadMax = 12;
/** Allows for rounded dimensions, such as 160 × 107 for 3:2. */
const ratioTolerance = 0.03;

/** The part of an image that is compared, as shares of its width and height. */
type Box = { x: number; y: number; width: number; height: number };
const wholeBox: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * The best likeness of a thumbnail to its image: as it is, rotated in steps of 90°, without its bars, or as the
 * centre crop of the image. In none of these cases does the thumbnail show more than the image.
 */
export function compareThumbnail(image: GrayImage, thumbnail: GrayImage): Likeness {
  let best: Likeness = { correlation: -1, differingShare: 1 };
  for (const rotated of rotationsOf(thumbnail)) {
    for (const [ofImage, ofThumbnail] of boxesOf(image, rotated)) {
      const likeness = compareCells(cellsOf(image.gray, ofImage), cellsOf(rotated.gray, ofThumbnail));
      if (likeness.correlation > best.correlation) best = likeness;
    }
  }
  return best;
}

function boxesOf(image: GrayImage, thumbnail: GrayImage): [Box, Box][] {
  const share = image.aspectRatio / thumbnail.aspectRatio;
  if (Math.abs(Math.log(share)) < ratioTolerance) return [[wholeBox, wholeBox]];
  const boxes: [Box, Box][] = [[centeredBox(1 / share), wholeBox]];
  const withoutBars = centeredBox(share);
  if (hasBars(thumbnail.gray, withoutBars)) boxes.push([wholeBox, withoutBars]);
  return boxes;
}

/** The largest centred box whose aspect ratio is the frame's times `ratio`. */
function centeredBox(ratio: number): Box {
  const width = Math.min(1, ratio);
  const height = Math.min(1, 1 / ratio);
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

function hasBars(gray: Uint8Array, { x, y }: Box): boolean {
  const areVertical = x > 0;
  const depth = Math.floor((areVertical ? x : y) * graySide) - 1; // the edge itself is blurred
  if (depth < 1) return true;
  for (const at of [0, graySide - depth]) {
    const bar = areVertical
      ? { x: at / graySide, y: 0, width: depth / graySide, height: 1 }
      : { x: 0, y: at / graySide, width: 1, height: depth / graySide };
    const { mean, spread } = statisticsOf(cellsOf(gray, bar));
    if (mean > barGrayMax || spread > barSpreadMax) return false;
  }
  return true;
}

function rotationsOf({ gray, aspectRatio }: GrayImage): GrayImage[] {
  const rotations = [{ gray, aspectRatio }];
  for (let i = 0; i < 3; i++) {
    const { gray: last, aspectRatio: ratio } = rotations.at(-1) as GrayImage;
    const next = new Uint8Array(graySide * graySide);
    for (let y = 0; y < graySide; y++) {
      for (let x = 0; x < graySide; x++) next[x * graySide + (graySide - 1 - y)] = last[y * graySide + x] as number;
    }
    rotations.push({ gray: next, aspectRatio: 1 / ratio });
  }
  return rotations;
}

/** The mean grey value of each cell of the box. */
function cellsOf(gray: Uint8Array, { x, y, width, height }: Box): Float64Array {
  const cells = new Float64Array(cellsPerSide * cellsPerSide);
  const edge = (from: number, size: number, i: number) => Math.floor((from + (size * i) / cellsPerSide) * graySide);
  for (let row = 0; row < cellsPerSide; row++) {
    for (let column = 0; column < cellsPerSide; column++) {
      const [top, left] = [edge(y, height, row), edge(x, width, column)];
      const [bottom, right] = [
        Math.max(top + 1, edge(y, height, row + 1)),
        Math.max(left + 1, edge(x, width, column + 1)),
      ];
      let sum = 0;
      for (let at = top; at < bottom; at++) {
        for (let across = left; across < right; across++) sum += gray[at * graySide + across] ?? 0;
      }
      cells[row * cellsPerSide + column] = sum / ((bottom - top) * (right - left));
    }
  }
  return cells;
}

function compareCells(a: Float64Array, b: Float64Array): Likeness {
  const [ofA, ofB] = [statisticsOf(a), statisticsOf(b)];
  const isFlat = ofA.spread < 1 || ofB.spread < 1;
  let productSum = 0;
  for (let i = 0; i < a.length; i++) productSum += ((a[i] as number) - ofA.mean) * ((b[i] as number) - ofB.mean);
  const correlation = isFlat
    ? Number(ofA.spread < 1 && ofB.spread < 1) // a uniform image only matches another uniform image
    : productSum / a.length / (ofA.spread * ofB.spread);
  // The linear regression that matches the brightness and contrast of b to a.
  const slope = isFlat ? 1 : Math.max(0, correlation) * (ofA.spread / ofB.spread);
  let differing = 0;
  for (let i = 0; i < a.length; i++) {
    const expected = ofA.mean + slope * ((b[i] as number) - ofB.mean);
    if (Math.abs((a[i] as number) - expected) > cellDifferenceMin) differing++;
  }
  return { correlation, differingShare: differing / a.length };
}

function statisticsOf(values: Float64Array): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.sqrt(variance) };
}
