import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { createLoudnessReader } from './audio/loudness-lines.ts';
import {
  type FieldVerdict,
  fieldVerdictKey,
  type LevelSample,
  levelSampleSize,
  type MediaFormat,
  neighbourCount,
  type Observer,
  type WatchedTap,
} from './signal/observer.ts';

/** Parses the bytes of a tap, which may arrive in chunks of any size. */
export type TapReader = { take(bytes: Uint8Array): void; end(): void };

type Watchers = readonly Observer<unknown>[];

const verdicts: readonly string[] = ['tff', 'bff', 'progressive', 'undetermined'] satisfies FieldVerdict['verdict'][];
/** The codes of a level sample: three planes. */
const levelCodes = 3 * levelSampleSize.width * levelSampleSize.height;
/** How many frames may wait for their timestamps, which arrive through another pipe. */
const waitingMax = 100;

/** For each tap, a reader that parses its bytes and calls the observers. */
export function createTapReaders(format: MediaFormat, watchers: Watchers): Record<WatchedTap, TapReader> {
  const small = format.video?.small ?? { width: 0, height: 0 };
  const frameSeconds = 1 / (format.video?.frameRate ?? 25);

  const smallFrames = createFrameQueue(small.width * small.height * 3, frameSeconds, (index, seconds, rgb) => {
    for (const watcher of watchers) watcher.frame?.({ index, seconds, rgb });
  });
  const sumUp = createNeighbourSum();
  const levels = createFrameQueue(neighbourCount * levelCodes, frameSeconds, (index, seconds, samples) => {
    const sample = { index, seconds, ...sumUp(samples) };
    for (const watcher of watchers) watcher.levels?.(sample);
  });
  const clock = createTimeReader((seconds) => {
    smallFrames.tick(seconds);
    levels.tick(seconds);
  });
  let fieldCount = 0;
  const fields = createLineReader(fieldVerdictKey, (seconds, verdict, frame) => {
    if (!verdicts.includes(verdict)) return;
    const isRestart = frame === 0 && fieldCount > 0;
    const field = { index: fieldCount++, seconds, verdict: verdict as FieldVerdict['verdict'], isRestart };
    for (const watcher of watchers) watcher.field?.(field);
  });
  const loudness = createLoudnessReader((reading) => {
    for (const watcher of watchers) watcher.loudness?.(reading);
  });
  return {
    clock,
    smallFrames,
    levels,
    fields,
    loudness: textReader((text) => loudness.take(text)),
    samples: createSampleReader(format.audio?.channels ?? 1, (samples) => {
      for (const watcher of watchers) watcher.samples?.(samples);
    }),
  };
}

/** Reads planes Y, Cb, Cr, each with the samples of nine adjacent pixels one below the other. */
function createNeighbourSum() {
  const [codes, sums] = [new Uint8Array(levelCodes), new Uint16Array(levelCodes)];
  const planeCodes = levelCodes / 3;
  const centre = Math.floor(neighbourCount / 2);
  return (samples: Uint8Array): Pick<LevelSample, 'codes' | 'sums'> => {
    for (let plane = 0; plane < 3; plane++) {
      const from = plane * neighbourCount * planeCodes;
      const to = plane * planeCodes;
      codes.set(samples.subarray(from + centre * planeCodes, from + (centre + 1) * planeCodes), to);
      for (let i = 0; i < planeCodes; i++) {
        let sum = 0;
        for (let n = 0; n < neighbourCount; n++) sum += samples[from + n * planeCodes + i] as number;
        sums[to + i] = sum;
      }
    }
    return { codes, sums };
  };
}

function createFrameQueue(
  sizeBytes: number,
  frameSeconds: number,
  deliver: (index: number, seconds: number, frame: Uint8Array) => void,
): TapReader & { tick(seconds: number): void } {
  const waiting: Uint8Array[] = [];
  const spare: Uint8Array[] = [];
  const times: number[] = [];
  let frame: Uint8Array = new Uint8Array(sizeBytes);
  let filledBytes = 0;
  let index = 0;
  let lastSeconds = -frameSeconds;
  const next = (seconds: number) => {
    const ready = waiting.shift() as Uint8Array;
    lastSeconds = seconds;
    deliver(index++, seconds, ready);
    spare.push(ready);
  };
  const deliverTimedFrames = () => {
    while (waiting.length > 0 && times.length > 0) next(times.shift() as number);
  };
  return {
    take: (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + sizeBytes - filledBytes);
        frame.set(part, filledBytes);
        at += part.length;
        filledBytes += part.length;
        if (filledBytes < sizeBytes) continue;
        waiting.push(frame);
        if (waiting.length > waitingMax)
          throw new AssetFailure('corrupt_media', `${waiting.length} decoded frames without a timestamp`);
        frame = spare.pop() ?? new Uint8Array(sizeBytes);
        filledBytes = 0;
        deliverTimedFrames();
      }
    },
    tick: (seconds) => {
      if (sizeBytes === 0) return;
      times.push(seconds);
      deliverTimedFrames();
    },
    // If the decoder was stopped, the last frames may have no timestamps, which are then extrapolated.
    end: () => {
      while (waiting.length > 0) next(lastSeconds + frameSeconds);
    },
  };
}

/** Reads the timestamp of each frame. */
export function createTimeReader(onSeconds: (seconds: number) => void): TapReader {
  return createLineReader('clock', onSeconds);
}

/** Reads, for each frame, `frame:7 pts:280000 pts_time:0.28` followed by `<key>=<value>`. */
function createLineReader(key: string, onValue: (seconds: number, value: string, frame: number) => void): TapReader {
  let seconds = 0;
  let frame = 0;
  let rest = '';
  return textReader((text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, number, micros] = /^frame:(\d+)\s+pts:(-?\d+)/.exec(line) ?? [];
      if (number !== undefined) [frame, seconds] = [Number(number), Number(micros) / 1e6];
      if (line.startsWith(`${key}=`)) onValue(seconds, line.slice(key.length + 1), frame);
    }
  });
}

function createSampleReader(channels: number, onSamples: (samples: Float32Array) => void): TapReader {
  const frameBytes = channels * Float32Array.BYTES_PER_ELEMENT;
  let rest = new Uint8Array(0);
  return {
    take: (bytes) => {
      const joined = new Uint8Array(rest.length + bytes.length); // a new buffer, so that the floats are aligned
      joined.set(rest);
      joined.set(bytes, rest.length);
      const wholeBytes = joined.length - (joined.length % frameBytes);
      rest = joined.slice(wholeBytes);
      if (wholeBytes > 0) onSamples(new Float32Array(joined.buffer, 0, wholeBytes / Float32Array.BYTES_PER_ELEMENT));
    },
    end: () => {},
  };
}

function textReader(onText: (text: string) => void): TapReader {
  const decoder = new TextDecoder('latin1');
  return { take: (bytes) => onText(decoder.decode(bytes)), end: () => {} };
}
