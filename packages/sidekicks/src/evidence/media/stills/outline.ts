import type { FlashBox } from '#sidekick/flash-still.ts';
import { fillRectangle, type Picture, type Rectangle, type Rgb } from './picture.ts';

/** From the outside: dark, a colour that few scenes have, dark. One of them is visible on any image. */
const rings: readonly { pixels: number; colour: Rgb }[] = [
  { pixels: 1, colour: [0, 0, 0] },
  { pixels: 3, colour: [0, 255, 255] },
  { pixels: 1, colour: [0, 0, 0] },
];
export const outlinePixels = rings.reduce((sum, { pixels }) => sum + pixels, 0);
/** The least width and height inside of an outline. */
const insideMin = 6;

/** The outer edge of an outline around a box: it covers nothing of the box, except at the edges of the frame. */
export function outlineOf({ x, y, width, height }: FlashBox, frame: { width: number; height: number }): Rectangle {
  const [left, right] = spanOf(x * frame.width, (x + width) * frame.width, frame.width);
  const [top, bottom] = spanOf(y * frame.height, (y + height) * frame.height, frame.height);
  return { left, top, right, bottom };
}

function spanOf(from: number, to: number, length: number): [number, number] {
  const extra = Math.max(0, (insideMin - (to - from)) / 2);
  const first = Math.floor(from + 0.001 - extra) - outlinePixels;
  const last = Math.ceil(to - 0.001 + extra) - 1 + outlinePixels;
  return [Math.max(0, first), Math.min(length - 1, last)];
}

export function drawOutline(picture: Picture, outer: Rectangle): void {
  let { left, top, right, bottom } = outer;
  for (const { pixels, colour } of rings) {
    for (let i = 0; i < pixels; i++, left++, top++, right--, bottom--) {
      if (left > right || top > bottom) return;
      fillRectangle(picture, { left, right, top, bottom: top }, colour);
      fillRectangle(picture, { left, right, top: bottom, bottom }, colour);
      fillRectangle(picture, { left, right: left, top, bottom }, colour);
      fillRectangle(picture, { left: right, right, top, bottom }, colour);
    }
  }
}
