/** In shares of the width and height of the frame, image or page. */
type Box = { x: number; y: number; width: number; height: number };
/** Where a box begins and ends along one side, as shares of it. */
type Extent = { from: number; to: number };

/** From this share on, a box fills the side; a rounded or trimmed edge must not make the whole frame a part of it. */
const fullMin = 0.96;
const mostMin = 0.6;
const halfMin = 0.42;
const thirdMin = 0.25;
/** A box that begins or ends this close to an edge touches it. */
const edge = 0.05;
const placesMax = 3;

const words = {
  down: {
    start: 'upper',
    end: 'lower',
    atStart: 'top',
    atEnd: 'bottom',
    across: 'a band',
    middle: 'across the middle',
  },
  across: {
    start: 'left',
    end: 'right',
    atStart: 'left',
    atEnd: 'right',
    across: 'a strip',
    middle: 'down the middle',
  },
} as const;

/**
 * Where boxes are, as people say it, to follow `in`: `the whole frame`, `the top left of the frame`, `the lower third of
 * the frame`, `the left and the right of the frame`.
 */
export function describePlaces(boxes: readonly Box[], whole = 'frame'): string {
  const places = [...new Set(boxes.map(placeOf))];
  if (places.length === 0 || places.includes('the whole')) return `the whole ${whole}`;
  if (places.length > placesMax) return `${boxes.length} areas of the ${whole}`;
  return `${joinWords(places)} of the ${whole}`;
}

function placeOf({ x, y, width, height }: Box): string {
  const [across, down] = [
    { from: x, to: x + width },
    { from: y, to: y + height },
  ];
  if (width >= fullMin && height >= fullMin) return 'the whole';
  if (width >= mostMin && height >= mostMin) return 'most';
  if (width >= fullMin) return bandOf(down, words.down);
  if (height >= fullMin) return bandOf(across, words.across);
  const [vertical, horizontal] = [sideOf(down, words.down), sideOf(across, words.across)];
  const place = [vertical, horizontal].filter(Boolean).join(' ') || 'centre';
  const isQuarter = [across, down].every((extent) => isShare(extent, halfMin, mostMin) && touchesEdge(extent));
  return isQuarter ? `the ${place} quarter` : `the ${place}`;
}

/** A box that fills the other side. */
function bandOf(extent: Extent, { start, end, atStart, atEnd, across, middle }: (typeof words)['down' | 'across']) {
  const isAtStart = extent.from + extent.to < 1;
  if (touchesEdge(extent) && isShare(extent, thirdMin, mostMin)) {
    return `the ${isAtStart ? start : end} ${isShare(extent, halfMin, mostMin) ? 'half' : 'third'}`;
  }
  if (extent.to - extent.from >= mostMin) return 'most';
  const side = sideOf(extent, { atStart, atEnd });
  return side ? `${across} at the ${side}` : `${across} ${middle}`;
}

/** The third of the side in which the middle of the box is; empty for the middle one. */
function sideOf({ from, to }: Extent, { atStart, atEnd }: { atStart: string; atEnd: string }): string {
  const middle = (from + to) / 2;
  if (middle < 0.4) return atStart;
  return middle > 0.6 ? atEnd : '';
}

function isShare({ from, to }: Extent, least: number, below: number): boolean {
  return to - from >= least && to - from < below;
}

function touchesEdge({ from, to }: Extent): boolean {
  return from <= edge || to >= 1 - edge;
}

function joinWords(places: readonly string[]): string {
  return places.length === 1 ? (places[0] as string) : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
}
