import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { memoryOfFrames } from '#evidence/memory-of-frames.ts';
import { recognise } from '../../file/format/recognise.ts';
import { pixelsMax } from '../decode/decode.ts';
import { demuxerArguments, demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { mainStreams } from '../probe/streams.ts';

/** The part of the frame, in pixels, that is not black in any of the sampled frames. */
export type ActivePicture = { left: number; top: number; width: number; height: number };

/** All sampled frames are black (`not_measurable`), or none could be decoded, or only beyond the limits. */
export type NoActivePicture = { notMeasured: 'not_measurable' | 'damaged' | 'limit_reached' };

const framesSampled = 6;
/** Those that ffmpeg keeps to decode one. */
const framesHeld = 8;
/** The default of ffmpeg's cropdetect: 24 of 255, slightly above black, which is 16. */
const blackMax = 24 / 255;
const ffmpegLimits = {
  secondsMax: 60,
  cpuSecondsMax: 30,
  memoryBytesMax: 4 * 1024 * 1024 * 1024,
  outputBytesMax: 1024 * 1024,
};

/**
 * Finds black bars with ffmpeg's cropdetect in frames spread over the file. `null` without a video stream. Frames that
 * cannot be measured are left out as long as one can. Running out of time fails the asset, which can be retried.
 */
export async function readActivePicture(
  source: Source,
  probe: Probe | null,
  limits = ffmpegLimits,
): Promise<ActivePicture | NoActivePicture | null> {
  const demuxer = demuxerOf(await recognise(source.bytes));
  const stream = probe && mainStreams(probe).video;
  if (!demuxer || !stream) return null;
  const seconds = stream.durationSeconds ?? probe?.durationSeconds ?? 0;
  const samples: (ActivePicture | NoActivePicture)[] = [];
  for (let i = 0; i < framesSampled; i++) {
    const memoryNeed = memoryOfFrames((stream.width ?? 0) * (stream.height ?? 0), framesHeld, 'deep');
    const tool = { ...cropdetect((seconds * (i + 0.5)) / framesSampled, demuxer, stream.index), ...limits, memoryNeed };
    samples.push(await measureFrame(tool, source));
    if (seconds === 0) break;
  }
  const boxes = samples.flatMap((sample) => ('notMeasured' in sample ? [] : sample));
  if (boxes.length > 0) return boxes.reduce(boundingBox);
  const reasons = samples.flatMap((sample) => ('notMeasured' in sample ? sample.notMeasured : []));
  return { notMeasured: reasons.find((reason) => reason !== 'not_measurable') ?? 'not_measurable' };
}

async function measureFrame(tool: Tool, source: Source): Promise<ActivePicture | NoActivePicture> {
  try {
    const { exitCode, stdout } = await runTool(tool, source);
    const printed = stdout.toString();
    if (exitCode !== 0 || !printed.includes('lavfi.cropdetect.')) return { notMeasured: 'damaged' };
    return readBox(printed) ?? { notMeasured: 'not_measurable' };
  } catch (failure) {
    // Another run would reach the same limit for this frame. A timeout or an outage may pass, so it fails the asset.
    const isLimit = failure instanceof AssetFailure && failure.errorType === 'resource_limit_exceeded';
    if (isLimit) return { notMeasured: 'limit_reached' };
    throw failure;
  }
}

function cropdetect(seconds: number, demuxer: string, stream: number) {
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-max_pixels', `${pixelsMax}`],
      ...['-noautorotate', ...demuxerArguments(demuxer), '-ss', seconds.toFixed(3), '-i', '/in', '-map', `0:${stream}`],
      ...['-frames:v', '1', '-vf', `cropdetect=limit=${blackMax.toFixed(4)}:round=2:skip=0,metadata=print:file=-`],
      ...['-f', 'null', '-'],
    ],
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
