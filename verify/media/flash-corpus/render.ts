import { execFileSync } from 'node:child_process';
import type { Clip, Rgba } from './corpus.ts';

export const frameSize = { width: 1920, height: 1080 };

/** Start and end of each run of opaque pixels. */
type Mask = Int32Array;

export type Renderer = {
  /** The frames of the clip as rgb24; equal frames share the same bytes. */
  render(clip: Clip): Uint8Array[];
};

/** Renders clips losslessly; each mask is read once. */
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
        const rgb = drawn.get(key) ?? createFrame(background);
        if (!drawn.has(key)) {
          for (const [i, colour] of colours.entries()) paintMask(rgb, maskOf(layers[i]?.mask as string), colour);
          drawn.set(key, rgb);
        }
        return rgb;
      });
    },
  };
}

function createFrame([red, green, blue]: Rgba): Uint8Array {
  const rgb = Buffer.alloc(frameSize.width * frameSize.height * 3);
  rgb.fill(Buffer.from([red, green, blue]));
  return rgb;
}

function paintMask(rgb: Uint8Array, mask: Mask, [red, green, blue, alpha]: Rgba): void {
  if (alpha === 0) return;
  const pixel = Buffer.from([red, green, blue]);
  for (let i = 0; i < mask.length; i += 2) {
    (rgb as Buffer).fill(pixel, 3 * (mask[i] as number), 3 * (mask[i + 1] as number));
  }
}

function readMask(path: string): Mask {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'], {
    maxBuffer: 4 * frameSize.width * frameSize.height,
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
