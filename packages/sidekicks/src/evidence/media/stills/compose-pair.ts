import type { FlashBox, FlashKind } from '#sidekick/flash-still.ts';
import { boxesOfMarks } from '../decode/flashes/marked-boxes.ts';
import { type Pair, stateOf, type TimedPicture } from './choose-pair.ts';
import { letterHeight, widthOfText, writeText } from './letters.ts';
import { drawOutline, outlineOf } from './outline.ts';
import { copyInto, createPicture, fillRectangle, type Picture, type Rgb } from './picture.ts';

/** The two states of a flash, and what the labels above them say. */
export const rolesOf = {
  luminance: { light: { role: 'light', label: 'LIGHT' }, dark: { role: 'dark', label: 'DARK' } },
  red: { light: { role: 'red', label: 'RED' }, dark: { role: 'not_red', label: 'NOT RED' } },
} as const satisfies Record<FlashKind, unknown>;

/** The lines above the frames, in which the labels are, and what is between the frames. */
export const labelPixels = 26;
export const gapPixels = 12;
const margin = 6;
/** The width of a field of colour between the labels: small differences show only where both colours are adjacent. */
const swatchPixels = 48;
/** Neither light nor dark, so that the edges of both frames are visible. */
const background: Rgb = [110, 110, 110];
const labelBackground: Rgb = [24, 24, 24];
/** From this difference on, a pixel is part of what flashes. */
const changeMin = 0.08;
/** The colour of a flash is that of the pixels that change by this share of the largest change. */
const colourShareMin = 0.5;

/**
 * Draws both frames side by side, the light or the red one on the left, with an outline around what flashes. The two
 * colours between the labels are the means of what flashes.
 */
export function composePair(pair: Pair, kind: FlashKind, boxes: readonly FlashBox[]): Picture {
  const texts = [pair.light, pair.dark].map(({ seconds }, i) => {
    return `${rolesOf[kind][i === 0 ? 'light' : 'dark'].label} ${formatLabelTime(seconds)}`;
  });
  const { width, height } = pair.light;
  const panelWidth = Math.max(width, ...texts.map((text) => widthOfText(text) + 2 * margin + swatchPixels));
  const composed = createPicture(2 * panelWidth + gapPixels, labelPixels + height, background);
  const outlined = boxes.length > 0 ? boxes : changedBoxes(pair, kind);
  fillRectangle(composed, { left: 0, right: composed.width - 1, top: 0, bottom: labelPixels - 1 }, labelBackground);
  const swatchLeft = composed.width / 2 - swatchPixels;
  for (const [i, colour] of coloursOf(pair, kind, outlined).entries()) {
    const left = swatchLeft + i * swatchPixels;
    fillRectangle(composed, { left, right: left + swatchPixels - 1, top: 0, bottom: labelPixels - 1 }, colour);
  }
  for (const [i, frame] of [pair.light, pair.dark].entries()) {
    const left = i * (panelWidth + gapPixels);
    const textLeft = left + margin + (i === 0 ? 0 : swatchPixels - gapPixels / 2);
    writeText(composed, texts[i] as string, textLeft, Math.floor((labelPixels - letterHeight) / 2));
    copyInto(composed, withOutlines(frame, outlined), left + Math.floor((panelWidth - width) / 2), labelPixels);
  }
  return composed;
}

function withOutlines(frame: TimedPicture, boxes: readonly FlashBox[]): Picture {
  const drawn = { ...frame, rgb: Uint8Array.from(frame.rgb) };
  for (const box of boxes) drawOutline(drawn, outlineOf(box, drawn));
  return drawn;
}

/** The mean colours of what becomes light or red, and dark or not red, at the same time. */
function coloursOf({ light, dark }: Pair, kind: FlashKind, boxes: readonly FlashBox[]): [Rgb, Rgb] {
  const pixels = boxes.flatMap((box) => pixelsIn(box, light));
  const changes = Float32Array.from(pixels, (pixel) => stateOf(light, pixel, kind) - stateOf(dark, pixel, kind));
  const least = colourShareMin * changes.reduce((most, change) => Math.max(most, change), 0);
  const changed = pixels.filter((_, i) => (changes[i] as number) >= least);
  return [meanColour(light, changed), meanColour(dark, changed)];
}

function pixelsIn({ x, y, width, height }: FlashBox, frame: Picture): number[] {
  const pixels: number[] = [];
  const [right, bottom] = [Math.round((x + width) * frame.width), Math.round((y + height) * frame.height)];
  for (let row = Math.round(y * frame.height); row < bottom; row++) {
    for (let column = Math.round(x * frame.width); column < right; column++) pixels.push(row * frame.width + column);
  }
  return pixels;
}

function meanColour({ rgb }: Picture, pixels: readonly number[]): Rgb {
  const sums = [0, 0, 0];
  for (const pixel of pixels)
    for (let i = 0; i < 3; i++) sums[i] = (sums[i] as number) + (rgb[3 * pixel + i] as number);
  return sums.map((sum) => Math.round(sum / Math.max(1, pixels.length))) as unknown as Rgb;
}

function changedBoxes({ light, dark }: Pair, kind: FlashKind): FlashBox[] {
  const { width, height } = light;
  const marks = Uint8Array.from({ length: width * height }, (_, pixel) =>
    Number(Math.abs(stateOf(light, pixel, kind) - stateOf(dark, pixel, kind)) >= changeMin),
  );
  return boxesOfMarks(marks, light, { left: 0, top: 0, right: width - 1, bottom: height - 1 });
}

/** 75.324 s → `1:15.324` */
export function formatLabelTime(seconds: number): string {
  const millis = Math.max(0, Math.round(seconds * 1000));
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(millis / 3_600_000), Math.floor(millis / 60_000) % 60];
  const rest = ((millis % 60_000) / 1000).toFixed(3).padStart(6, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
