import { execFileSync } from 'node:child_process';
import type { Clip, Rgba } from './corpus.ts';

export const pictureSize = { width: 1920, height: 1080 };

/** A run of a mask's opaque pixels, from and to. */
type Mask = Int32Array;

export type Renderer = {
  /** The picture of each moment of the clip; equal ones are the same bytes. */
  render(clip: Clip): Uint8Array[];
};

/** Renders clips without loss, as rgb24. Masks are read once. */
export function createRenderer(): Renderer {
  const masks = new Map<string, Mask>();
  const maskOf = (path: string) => {
    const known = masks.get(path) ?? readMask(path);
    masks.set(path, known);
    return known;
  };
  return {
    render({ background, layers, frameCount, leadCount }) {
      const drawn = new Map<string, Uint8Array>();
      return Array.from({ length: leadCount + frameCount }, (_, i) => {
        const frame = Math.max(0, i - leadCount);
        const colours = layers.map(({ colours }) => (colours[frame] ?? colours.at(-1)) as Rgba);
        const key = colours.join(' ');
        const picture = drawn.get(key) ?? createPicture(background);
        if (!drawn.has(key)) {
          for (const [i, colour] of colours.entries()) paint(picture, maskOf(layers[i]?.mask as string), colour);
          drawn.set(key, picture);
        }
        return picture;
      });
    },
  };
}

function createPicture([red, green, blue]: Rgba): Uint8Array {
  const picture = Buffer.alloc(pictureSize.width * pictureSize.height * 3);
  picture.fill(Buffer.from([red, green, blue]));
  return picture;
}

function paint(picture: Uint8Array, mask: Mask, [red, green, blue, alpha]: Rgba): void {
  if (alpha === 0) return;
  const pixel = Buffer.from([red, green, blue]);
  for (let i = 0; i < mask.length; i += 2) {
    (picture as Buffer).fill(pixel, 3 * (mask[i] as number), 3 * (mask[i + 1] as number));
  }
}

function readMask(path: string): Mask {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'], {
    maxBuffer: 4 * pictureSize.width * pictureSize.height,
    timeout: 30_000,
  });
  const runs: number[] = [];
  let isInside = false;
  for (let i = 0; i <= bytes.length / 4; i++) {
    if ((bytes[i * 4 + 3] ?? 0) >= 128 === isInside) continue;
    runs.push(i);
    isInside = !isInside;
  }
  return Int32Array.from(runs);
}
