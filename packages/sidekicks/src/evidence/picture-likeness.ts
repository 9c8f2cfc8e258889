/** A picture squeezed to a square of so many gray values, and its own width over height. */
export type GrayPicture = { gray: Uint8Array; aspectRatio: number };

export type Likeness = {
  /** −1 to 1: how far the two rise and fall together. */
  correlation: number;
  /** 0 to 1: how much of the picture differs clearly once brightness and contrast are evened out. */
  differingShare: number;
};

/** Both are compared as so many cells a side: finer ones would tell of sharpening and compression. */
export const graySide = 128;
const cellsPerSide = 32;
/** By so much of the gray scale must a cell differ to count. */
const differenceMin = 48;
/** Bars that fill a frame are dark and even. */
const barGrayMax = 40;
const barSpreadMax = 12;
/** Ratios of rounded sizes: 160 × 107 for 3:2. */
const ratioTolerance = 0.03;

/** What of a picture is looked at, as shares of its width and height. */
type Box = { x: number; y: number; width: number; height: number };
const whole: Box = { x: 0, y: 0, width: 1, height: 1 };

/**
 * How alike a thumbnail is to its picture, at best: as it is, turned by a quarter, within bars that fill its frame, or
 * as the middle of the picture. None of these shows more than the picture does.
 */
export function compareThumbnail(picture: GrayPicture, thumbnail: GrayPicture): Likeness {
  let best: Likeness = { correlation: -1, differingShare: 1 };
  for (const turned of turnsOf(thumbnail)) {
    for (const [ofPicture, ofThumbnail] of boxesOf(picture, turned)) {
      const likeness = compare(cellsOf(picture.gray, ofPicture), cellsOf(turned.gray, ofThumbnail));
      if (likeness.correlation > best.correlation) best = likeness;
    }
  }
  return best;
}

function boxesOf(picture: GrayPicture, thumbnail: GrayPicture): [Box, Box][] {
  const share = picture.aspectRatio / thumbnail.aspectRatio;
  if (Math.abs(Math.log(share)) < ratioTolerance) return [[whole, whole]];
  const boxes: [Box, Box][] = [[middle(1 / share), whole]];
  const inBars = middle(share);
  if (hasBars(thumbnail.gray, inBars)) boxes.push([whole, inBars]);
  return boxes;
}

/** The largest box in the middle whose sides are to each other as the frame's, times this. */
function middle(ratio: number): Box {
  const width = Math.min(1, ratio);
  const height = Math.min(1, 1 / ratio);
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

function hasBars(gray: Uint8Array, { x, y }: Box): boolean {
  const isUpright = x > 0;
  const depth = Math.floor((isUpright ? x : y) * graySide) - 1; // the edge itself is blurred
  if (depth < 1) return true;
  for (const at of [0, graySide - depth]) {
    const bar = isUpright
      ? { x: at / graySide, y: 0, width: depth / graySide, height: 1 }
      : { x: 0, y: at / graySide, width: 1, height: depth / graySide };
    const { mean, spread } = statisticsOf(cellsOf(gray, bar));
    if (mean > barGrayMax || spread > barSpreadMax) return false;
  }
  return true;
}

function turnsOf({ gray, aspectRatio }: GrayPicture): GrayPicture[] {
  const turns = [{ gray, aspectRatio }];
  for (let i = 0; i < 3; i++) {
    const { gray: last, aspectRatio: ratio } = turns.at(-1) as GrayPicture;
    const next = new Uint8Array(graySide * graySide);
    for (let y = 0; y < graySide; y++) {
      for (let x = 0; x < graySide; x++) next[x * graySide + (graySide - 1 - y)] = last[y * graySide + x] as number;
    }
    turns.push({ gray: next, aspectRatio: 1 / ratio });
  }
  return turns;
}

/** The mean gray of each cell of the box. */
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

function compare(a: Float64Array, b: Float64Array): Likeness {
  const [ofA, ofB] = [statisticsOf(a), statisticsOf(b)];
  const isFlat = ofA.spread < 1 || ofB.spread < 1;
  let together = 0;
  for (let i = 0; i < a.length; i++) together += ((a[i] as number) - ofA.mean) * ((b[i] as number) - ofB.mean);
  const correlation = isFlat
    ? Number(ofA.spread < 1 && ofB.spread < 1) // nothing to compare but that there is nothing in either
    : together / a.length / (ofA.spread * ofB.spread);
  // The line through both that makes b as bright and as rich in contrast as a.
  const slope = isFlat ? 1 : Math.max(0, correlation) * (ofA.spread / ofB.spread);
  let differing = 0;
  for (let i = 0; i < a.length; i++) {
    const expected = ofA.mean + slope * ((b[i] as number) - ofB.mean);
    if (Math.abs((a[i] as number) - expected) > differenceMin) differing++;
  }
  return { correlation, differingShare: differing / a.length };
}

function statisticsOf(values: Float64Array): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.sqrt(variance) };
}
