import { closeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { sizeOfLook } from './flashes/flashes.ts';
import { loadKernel } from './flashes/kernel.ts';
import type { FramesSeen, FrameThreadStart } from './frame-thread.ts';
import type { Film } from './observer.ts';

const kernel = loadKernel();

export type FrameWatch = {
  /** Descriptors for the tool to write to: the frames, and the time of each. */
  outlets: { frames: number; frameClock: number };
  /** To be called once the tool has them. */
  handedOver(): void;
  /** What was seen, once both have ended. */
  end(): Promise<FramesSeen>;
  /** Fires when the thread has failed, so that nobody goes on decoding for it. */
  failed: AbortSignal;
  close(): Promise<void>;
};

/** Whether all that is asked of its frames can be seen in them as they are handed over, which may be shrunk. */
export function areFramesWhole({ picture }: Film): boolean {
  if (!picture || picture.isRgb) return false;
  const { width, height } = sizeOfLook(picture.width, picture.height);
  return width === picture.width && height === picture.height;
}

/**
 * A thread that looks at every pixel of every frame. These are three megabytes each: it reads them itself, from a pipe,
 * to where they are looked at.
 */
export function watchFrames(film: Film, wanted: FrameThreadStart['wanted']): FrameWatch {
  const frames = openPipe();
  const clock = openPipe();
  const workerData: FrameThreadStart = { film, wanted, frames: frames.reading, clock: clock.reading };
  const thread = new Worker(new URL('./frame-thread.ts', import.meta.url), { workerData });
  const failure = new AbortController();
  const { promise: seen, resolve, reject } = Promise.withResolvers<FramesSeen>();
  seen.catch(() => {}); // who waits for it is told; before that, `failed` tells
  const fail = (error: unknown) => {
    reject(error);
    failure.abort(error);
  };
  let isDone = false; // then it ends by itself, perhaps before the tool does
  thread.on('message', (all: FramesSeen) => {
    isDone = true;
    resolve(all);
  });
  thread.on('error', fail);
  const exited = new Promise<void>((ended) => {
    thread.on('exit', () => {
      if (!isDone) fail(new Error('the thread that looks at frames has ended'));
      ended();
    });
  });
  let isHandedOver = false;
  const handedOver = () => {
    if (isHandedOver) return;
    isHandedOver = true;
    for (const { writing } of [frames, clock]) closeSync(writing);
  };
  return {
    outlets: { frames: frames.writing, frameClock: clock.writing },
    handedOver,
    end: () => seen,
    failed: failure.signal,
    close: async () => {
      handedOver();
      await exited; // nobody writes any more, so it comes to its end
      for (const { reading } of [frames, clock]) closeSync(reading);
    },
  };
}

/** Both ends of a pipe; Node itself opens none that another thread could read. */
function openPipe(): { reading: number; writing: number } {
  const descriptors = new Int32Array(2);
  kernel.openPipe([descriptors]);
  const [reading, writing] = descriptors as unknown as [number, number];
  return { reading, writing };
}
