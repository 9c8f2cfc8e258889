import { closeSync, readSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { openMemoryFile } from '@assay/jail/anonymous-file.ts';
import { outletDescriptor, runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { readAnimation } from '../probe/animation.ts';
import { pixelsMax } from './decode.ts';
import { builtWebpToApng } from './webp-to-apng.ts';

/** A source that ffmpeg can decode, for as long as it is not disposed of. */
type Playable = Disposable & { source: Source };

const MiB = 1024 * 1024;
/** The APNG is kept in memory. An animation that takes more is not decoded. */
const apngBytesMax = 128 * MiB;
/** Two canvases of the decoder, the frame before, and the compressed frame, with 4 bytes per pixel each. */
const memoryNeedBytes = 32 * MiB + 4 * 4 * pixelsMax + apngBytesMax;

/**
 * ffmpeg cannot decode animated WebP, so such an image is first written as APNG, with the same pixels and times. Any other
 * file stays as it is, and so does an animation that cannot be read.
 */
export async function openPlayable(source: Source): Promise<Playable> {
  const animation = await readAnimation(source);
  const fd = animation?.format === 'WebP' ? await convertToApng(source) : null;
  if (fd === null) return { source, [Symbol.dispose]: () => {} };
  return { source: { ...source, ...fd }, [Symbol.dispose]: () => closeSync(fd.fd) };
}

/** Null if the image is damaged, or if its APNG would take too much memory. */
async function convertToApng(source: Source): Promise<Pick<Source, 'fd' | 'bytes'> | null> {
  const { file, reading } = openMemoryFile();
  const tooLarge = new AbortController();
  let sizeBytes = 0;
  const tool = webpToApng((stream) => {
    stream.on('data', (chunk: Buffer) => {
      if (sizeBytes + chunk.length > apngBytesMax) tooLarge.abort();
      else sizeBytes += writeSync(file, chunk);
    });
  });
  const signal = AbortSignal.any([source.signal, tooLarge.signal]);
  const isConverted = await runTool(tool, { ...source, signal })
    .then(({ exitCode }) => exitCode === 0)
    .catch((failure) => {
      if (tooLarge.signal.aborted) return false;
      closeSync(reading);
      throw failure;
    })
    .finally(() => closeSync(file));
  if (!isConverted) {
    closeSync(reading);
    return null;
  }
  const read = async (target: Uint8Array, offset: number) => readSync(reading, target, 0, target.length, offset);
  return { fd: reading, bytes: { sizeBytes, read } };
}

function webpToApng(keep: (stream: Readable) => void): Tool {
  return {
    program: builtWebpToApng(),
    args: ['/in', `${outletDescriptor(0)}`, `${pixelsMax}`],
    secondsMax: 120,
    cpuSecondsMax: 60,
    memoryBytesMax: 1024 * MiB,
    memoryNeed: { bytes: memoryNeedBytes, isLong: false },
    outputBytesMax: 64 * 1024,
    outlets: [keep],
  };
}
