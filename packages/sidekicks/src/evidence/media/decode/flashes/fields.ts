import type { VideoFormat } from '../signal/observer.ts';
import type { Lines } from './tracker.ts';

/** A plane of the frame and of the field, in bytes. */
type Plane = { rowBytes: number; rows: number; fieldRows: number };

/** The format of a field: half of the lines, each twice as high. */
export function fieldFormatOf(format: VideoFormat): VideoFormat {
  return { ...format, height: Math.floor(format.height / 2), pixelAspect: format.pixelAspect / 2 };
}

/** Copies the even or the odd lines of a frame. In 4:2:0, lines of chroma belong to the two fields in turn, too. */
export function createFieldSplitter(format: VideoFormat) {
  const planes = planesOf(format);
  return (frame: Uint8Array, lines: Lines, field: Uint8Array): void => {
    let [from, to] = [0, 0];
    for (const { rowBytes, rows, fieldRows } of planes) {
      for (let row = 0; row < fieldRows; row++) {
        const line = Math.min(rows - 1, 2 * row + (lines === 'even' ? 0 : 1));
        const start = from + line * rowBytes;
        field.set(frame.subarray(start, start + rowBytes), to);
        to += rowBytes;
      }
      from += rows * rowBytes;
    }
  };
}

function planesOf({ width, height, isRgb, bits }: VideoFormat): Plane[] {
  const bytes = bits > 8 ? 2 : 1;
  const fieldHeight = Math.floor(height / 2);
  const full = { rowBytes: bytes * width, rows: height, fieldRows: fieldHeight };
  if (isRgb) return [full, full, full];
  const chroma = {
    rowBytes: bytes * Math.ceil(width / 2),
    rows: Math.ceil(height / 2),
    fieldRows: Math.ceil(fieldHeight / 2),
  };
  return [full, chroma, chroma];
}
