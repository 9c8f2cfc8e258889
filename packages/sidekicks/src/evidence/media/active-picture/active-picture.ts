import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { recognise } from '../../file/format/recognise.ts';
import { pixelsMax } from '../decode/decode.ts';
import { demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';

/** The part of the frame, in pixels, that is not black in any of the sampled frames. */
export type ActivePicture = { left: number; top: number; width: number; height: number };

const framesSampled = 6;
/** The default of ffmpeg's cropdetect: 24 of 255, slightly above black, which is 16. */
const blackMax = 24 / 255;
const ffmpegLimits = {
  secondsMax: 60,
  cpuSecondsMax: 30,
  memoryBytesMax: 4 * 1024 * 1024 * 1024,
  outputBytesMax: 1024 * 1024,
} as const;

/**
 * Finds black bars with ffmpeg's cropdetect in frames spread over the file. `null` without a video stream, or if all of
 * these frames are black.
 */
export async function readActivePicture(source: Source, probe: Probe | null): Promise<ActivePicture | null> {
  const demuxer = demuxerOf(await recognise(source.bytes));
  const stream = probe?.streams.find(({ kind, isAttachedPicture }) => kind === 'video' && !isAttachedPicture);
  if (!demuxer || !stream) return null;
  const seconds = stream.durationSeconds ?? probe?.durationSeconds ?? 0;
  let union: ActivePicture | null = null;
  for (let i = 0; i < framesSampled; i++) {
    const box = await measureAt((seconds * (i + 0.5)) / framesSampled, demuxer, stream.index, source);
    if (box) union = union ? boundingBox(union, box) : box;
    if (seconds === 0) break;
  }
  return union;
}

async function measureAt(seconds: number, demuxer: string, stream: number, source: Source) {
  try {
    const { exitCode, stdout } = await runTool(cropdetect(seconds, demuxer, stream), source);
    return exitCode === 0 ? readBox(stdout.toString()) : null;
  } catch (failure) {
    // ffmpeg exceeded a limit for this frame: the other frames are enough.
    if (failure instanceof AssetFailure) return null;
    throw failure;
  }
}

function cropdetect(seconds: number, demuxer: string, stream: number): Tool {
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-max_pixels', `${pixelsMax}`],
      ...['-noautorotate', '-f', demuxer, '-ss', seconds.toFixed(3), '-i', '/in', '-map', `0:${stream}`],
      ...['-frames:v', '1', '-vf', `cropdetect=limit=${blackMax.toFixed(4)}:round=2:skip=0,metadata=print:file=-`],
      ...['-f', 'null', '-'],
    ],
    ...ffmpegLimits,
  };
}

/** Reads `lavfi.cropdetect.x1=0` and the other edges. In a black frame, the first pixel is after the last. */
export function readBox(printed: string): ActivePicture | null {
  const edge = (name: string) => Number(new RegExp(`cropdetect\\.${name}=(\\d+)`).exec(printed)?.[1] ?? Number.NaN);
  const [left, right, top, bottom] = [edge('x1'), edge('x2'), edge('y1'), edge('y2')];
  if (!(right > left && bottom > top)) return null;
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function boundingBox(a: ActivePicture, b: ActivePicture): ActivePicture {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  const [right, bottom] = [Math.max(a.left + a.width, b.left + b.width), Math.max(a.top + a.height, b.top + b.height)];
  return { left, top, width: right - left, height: bottom - top };
}
