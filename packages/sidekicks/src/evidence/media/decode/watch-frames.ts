import { closeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { analysisSizeOf } from './flashes/flashes.ts';
import type { FrameThreadStart, ObservedFrames } from './frame-thread.ts';
import { loadKernel } from './signal/kernel.ts';
import type { MediaFormat } from './signal/observer.ts';

const kernel = loadKernel();

export type FrameWatch = {
  /** File descriptors for the tool to write to: the frames, and their timestamps. */
  outlets: { frames: number; frameClock: number };
  /** Closes this process's copies of `outlets`; to be called once the tool has inherited them. */
  closeWriteEnds(): void;
  /** Resolves with the results when both pipes have ended. */
  end(): Promise<ObservedFrames>;
  /** Aborted when the thread fails, so that decoding stops. */
  failed: AbortSignal;
  close(): Promise<void>;
};

/** Whether `FrameViews` can be derived from the analysed frames, which must be opaque 4:2:0 and not scaled down. */
export function canDeriveViews({ video }: MediaFormat): boolean {
  if (!video || video.isRgb || video.hasAlpha) return false;
  const { width, height } = analysisSizeOf(video.width, video.height);
  return width === video.width && height === video.height;
}

/**
 * Starts a thread that analyses every pixel of every frame. A frame has about 3 MB, so the thread reads from the pipe
 * directly into the memory that is analysed.
 */
export function watchFrames(media: MediaFormat, wanted: FrameThreadStart['wanted']): FrameWatch {
  const frames = openPipe();
  const clock = openPipe();
  const workerData: FrameThreadStart = { media, wanted, frames: frames.reading, clock: clock.reading };
  const thread = new Worker(new URL('./frame-thread.ts', import.meta.url), { workerData });
  const failure = new AbortController();
  const { promise: observed, resolve, reject } = Promise.withResolvers<ObservedFrames>();
  observed.catch(() => {}); // not an unhandled rejection: `failed` reports the error until `end` is called
  const fail = (error: unknown) => {
    reject(error);
    failure.abort(error);
  };
  let isDone = false; // the thread then exits by itself, possibly before the tool does
  thread.on('message', (result: ObservedFrames) => {
    isDone = true;
    resolve(result);
  });
  thread.on('error', fail);
  const exited = new Promise<void>((ended) => {
    thread.on('exit', () => {
      if (!isDone) fail(new Error('the frame thread exited early'));
      ended();
    });
  });
  let areWriteEndsClosed = false;
  const closeWriteEnds = () => {
    if (areWriteEndsClosed) return;
    areWriteEndsClosed = true;
    for (const { writing } of [frames, clock]) closeSync(writing);
  };
  return {
    outlets: { frames: frames.writing, frameClock: clock.writing },
    closeWriteEnds,
    end: () => observed,
    failed: failure.signal,
    close: async () => {
      closeWriteEnds();
      await exited; // without a writer, the thread reads the end of both pipes and exits
      for (const { reading } of [frames, clock]) closeSync(reading);
    },
  };
}

/** Both ends of a pipe. Node.js has no API for a pipe that another thread can read. */
function openPipe(): { reading: number; writing: number } {
  const descriptors = new Int32Array(2);
  kernel.openPipe([descriptors]);
  const [reading, writing] = descriptors as unknown as [number, number];
  return { reading, writing };
}
