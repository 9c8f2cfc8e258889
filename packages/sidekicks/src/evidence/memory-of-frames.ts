import type { MemoryNeed } from '@assay/jail/source/memory.ts';

const MiB = 1024 * 1024;
/** Libraries, buffers, and the stacks of threads. */
const baseBytes = 96 * MiB;
/** 4:2:0 with 8 bits takes 1.5 bytes, 4:4:4 with 10 bits takes 6. */
const bytesPerPixel = { usual: 1.5, deep: 3, most: 6 } as const;

/** What ffmpeg takes if it holds so many frames. In 4K it took 280 MB with 8 bits and 460 MB with 10. */
export function memoryOfFrames(
  pixels: number,
  frames: number,
  depth: keyof typeof bytesPerPixel = 'most',
  isLong = false,
): MemoryNeed {
  return { bytes: Math.ceil(baseBytes + pixels * bytesPerPixel[depth] * frames), isLong };
}
