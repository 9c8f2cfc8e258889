import type { Kernel } from '../kernel.ts';

type Values = Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float64Array;
/** A call of the kernel with arrays of exactly the size that it needs, one group for each argument. */
export type KernelCall = { name: keyof Kernel; groups: Values[][] };

export type KernelCallSettings = {
  width: number;
  height: number;
  isRgb: boolean;
  isDeep: boolean;
  /** As with PQ and HLG. */
  hasTables: boolean;
  /** 0: a frame; 1 and 2: a field with the even or the odd lines. */
  lines: number;
  chunks: number;
  frames: number;
  stride: number;
  /** An integer from 0 to this, without it. */
  pick(below: number): number;
};

const lightFields = 19;
const hueFields = 12;
const limitFields = 10;
const tableSize = 255 * 32 + 1;
const cellPixels = 32;
const spanFrames = 40;

/** One call of each function that computes, with arbitrary content. */
export function kernelCalls(settings: KernelCallSettings): KernelCall[] {
  const { width, height, chunks, isDeep, pick } = settings;
  const pixels = width * height;
  const planar = (codes: number) => filled(new Uint8Array(isDeep ? 2 * codes : codes));
  const chromaCodes = 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  const light = filled(new Int16Array(lightFields));
  const words = () => filled(new Int32Array(pixels));
  const [left, top] = [pick(width), pick(height)];
  const [right, bottom] = [left + pick(width - left), top + pick(height - top)];
  const [smallWidth, smallHeight] = [1 + pick(width), 1 + pick(height)];
  const small = smallWidth * smallHeight;
  const across = Math.floor((right - left) / settings.stride) + 1;

  function filled<T extends Values>(array: T): T {
    const below = array instanceof Float64Array ? 1000 : 2 ** Math.min(31, 8 * array.BYTES_PER_ELEMENT);
    return array.map(() => pick(below)) as T;
  }
  function history(): Values[] {
    const frame = 1000;
    const firsts = Array.from({ length: chunks }, (_, i) => frame - pick(32) - 32 * i);
    const cells = Math.ceil(width / cellPixels) * Math.ceil(height / cellPixels);
    const [up, down] = [new Int32Array(cells), new Int32Array(cells)];
    const directions = filled(new Uint8Array(pixels)).map((value) => value % 3);
    return [Int32Array.of(frame, 0, ...firsts), directions, up, down, ...Array.from({ length: chunks }, words)];
  }
  function see(): Values[][] {
    const { isRgb, hasTables, lines, frames } = settings;
    const size = Int32Array.of(width, height, Number(isRgb), 1 + pick(2000), Number(isDeep), lines);
    // Its rows have 16-bit elements, so the number of bytes is even.
    const scratch = new Int16Array(Math.ceil((12 * Math.ceil(width / 2) + width + 7) / 2));
    const parts = filled(new Int32Array(3 * tableSize)).map((value) => Math.abs(value) % 100);
    const levelCount = [0, 1, 2].reduce(
      (sum, i) => sum + Math.max(...parts.subarray(i * tableSize, (i + 1) * tableSize)),
      1,
    );
    const tables = [parts, filled(new Int16Array(levelCount)), filled(new Float64Array(tableSize))];
    const frame = () => [
      ...[planar(isRgb ? 3 * pixels : pixels + chromaCodes), filled(new Int16Array(pixels))],
      ...[filled(new Uint8Array(pixels)), filled(new Uint8Array(height))],
    ];
    const ages = filled(new Uint8Array(pixels));
    const format = [size, light, filled(new Float64Array(hueFields)), scratch, ages, ...(hasTables ? tables : [])];
    return [format, Array.from({ length: frames }, frame).flat(), history(), history()];
  }

  const bits = Array.from({ length: chunks }, () => pick(2 ** 31));
  const flashing = Int32Array.of(width, height, pick(12), ...bits, ...(chunks < 2 ? [0] : []));
  const newest = Array.from({ length: chunks }, () => pick(200));
  const part = Int32Array.of(width, left, top, right, bottom, spanFrames, settings.stride, ...newest);
  const inPart = bottom * width + right + 1;
  const window = Int32Array.of(width, left, top, right, bottom, 1 + pick(width), 1 + pick(height), pick(3));
  const samples = small;
  return [
    { name: 'see', groups: see() },
    { name: 'findFlashing', groups: [[flashing, new Uint8Array(pixels), ...Array.from({ length: chunks }, words)]] },
    {
      name: 'collectEvents',
      groups: [
        [
          ...[part, filled(new Uint8Array(inPart)), filled(new Uint8Array(inPart)), new Uint32Array(3 * across)],
          ...[new Int32Array(spanFrames), new Int32Array(spanFrames)],
          ...Array.from({ length: chunks }, () => filled(new Int32Array(inPart))),
        ],
      ],
    },
    {
      name: 'findFullest',
      groups: [[window, filled(new Uint8Array(inPart)), new Int32Array((right - left + 2) * (bottom - top + 2))]],
    },
    {
      name: 'shrink',
      groups: [
        [
          ...[Int32Array.of(width, height, smallWidth, smallHeight, Number(isDeep)), light],
          ...[planar(pixels + chromaCodes), new Uint16Array(width + 3 * small), new Uint8Array(3 * small)],
        ],
      ],
    },
    {
      name: 'measureLevels',
      groups: [
        [
          filled(new Int32Array(limitFields)).map((value) => value % 10_000),
          Int32Array.of(samples, 0, 0, 0),
          filled(new Uint16Array(3 * samples)).map((value) => value % 2296),
        ],
      ],
    },
    {
      name: 'sampleLevels',
      groups: [
        [
          ...[Int32Array.of(width, height, smallWidth, smallHeight, Number(isDeep)), planar(pixels + chromaCodes)],
          ...[new Uint8Array(3 * samples), new Uint16Array(3 * samples)],
        ],
      ],
    },
    {
      name: 'measureLuma',
      groups: [
        [Int32Array.of(5000, 9000, 2000, 100_000, samples), filled(new Uint8Array(3 * samples)), new Float64Array(2)],
      ],
    },
  ];
}

/** Calls the kernel as TypeScript does. */
export function callKernel(kernel: Kernel, { name, groups }: KernelCall): void {
  (kernel[name] as (...args: Values[][]) => void)(...groups);
}
