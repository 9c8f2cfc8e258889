import { outletDescriptor, runTool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { loopArguments, pixelsMax } from '../decode/decode.ts';
import type { SelectedStreams } from '../decode/select-streams.ts';
import type { VideoFormat } from '../decode/signal/observer.ts';
import { createTimeReader } from '../decode/tap-readers.ts';
import { printFilter } from '../decode/taps.ts';
import { demuxerArguments } from '../probe/probe.ts';
import type { TimedPicture } from './choose-pair.ts';
import { createToneCurve } from './tone-curve.ts';

export type FramesRequest = {
  demuxer: string;
  streams: SelectedStreams;
  startSeconds: number;
  endSeconds: number;
  isByField: boolean;
  /** The size of the frames. */
  size: { width: number; height: number };
  secondsMax: number;
};

/** All frames that are read for a still, in bytes; of a longer period, the last are read. */
const bytesMax = 48 * 1024 * 1024;
const framesMax = 120;
const memoryBytesMax = 4 * 1024 * 1024 * 1024;
const cpuSecondsMax = 30;

/**
 * Reads the frames of a period, as displayed: scaled, R'G'B'. Transparent frames are returned twice: over black and over
 * white.
 */
export async function readFrames(request: FramesRequest, source: Source): Promise<TimedPicture[][]> {
  const { streams, size } = request;
  const video = streams.format.video as VideoFormat;
  const channels = video.hasAlpha ? 4 : 3;
  const frameBytes = channels * size.width * size.height;
  const count = Math.max(2, Math.min(framesMax, Math.floor(bytesMax / frameBytes)));
  const rate = (video.frameRate ?? 25) * (request.isByField ? 2 : 1);
  const startSeconds = Math.max(0, request.startSeconds, request.endSeconds - count / rate);
  const seconds: number[] = [];
  const times = createTimeReader((at) => seconds.push(streams.isLoop ? at : at + startSeconds));
  const { exitCode, stdout } = await runTool(
    {
      program: '/usr/bin/ffmpeg',
      args: argumentsFor({ ...request, startSeconds }, video, count),
      ...{ secondsMax: request.secondsMax, cpuSecondsMax, memoryBytesMax, outputBytesMax: count * frameBytes },
      outlets: [(stream) => stream.on('data', (chunk: Buffer) => times.take(chunk))],
    },
    source,
  );
  if (exitCode !== 0) return [];
  const frames = Array.from({ length: Math.min(seconds.length, Math.floor(stdout.length / frameBytes)) }, (_, i) => ({
    seconds: seconds[i] as number,
    pixels: stdout.subarray(i * frameBytes, (i + 1) * frameBytes),
  }));
  const toDisplay = createToneCurve(video.transfer);
  const picturesOf = (background: number) =>
    frames.map(({ seconds: at, pixels }) => {
      const rgb = video.hasAlpha ? putOver(pixels, background) : pixels;
      return { ...size, seconds: at, rgb: toDisplay ? rgb.map((code) => toDisplay[code] as number) : rgb };
    });
  return video.hasAlpha ? [picturesOf(0), picturesOf(255)] : [picturesOf(0)];
}

function argumentsFor(request: FramesRequest, video: VideoFormat, count: number): string[] {
  const { demuxer, streams, startSeconds, endSeconds, isByField, size } = request;
  const { videoStream, videoDecoder, isLoop } = streams;
  const isEnlarged = size.height > video.height;
  const filters = [
    // A loop cannot be searched, because its times begin again.
    ...(isLoop ? [`trim=start=${startSeconds}:end=${endSeconds}`] : []),
    // Fields that the file does not declare are separated too, in the usual order.
    ...(isByField ? [`setfield=${video.fieldOrder === 'bff' ? 'bff' : 'tff'}`, 'separatefields'] : []),
    `metadata=mode=add:key=clock:value=1,${printFilter('clock', `pipe:${outletDescriptor(0)}`)}`,
    `scale=${size.width}:${size.height}:flags=${isEnlarged ? 'neighbor' : 'area'}:in_color_matrix=${video.matrix}`,
    `format=${video.hasAlpha ? 'rgba' : 'rgb24'}`,
  ];
  return [
    ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-max_pixels', `${pixelsMax}`],
    ...demuxerArguments(demuxer),
    ...(videoDecoder ? [`-c:${videoStream}`, videoDecoder] : []),
    ...(isLoop ? loopArguments(demuxer) : ['-ss', `${startSeconds}`]),
    ...['-i', '/in', '-filter_complex', `[0:${videoStream}]${filters.join(',')}[frames]`, '-map', '[frames]'],
    ...['-t', `${isLoop ? endSeconds : endSeconds - startSeconds}`, '-frames:v', `${count}`],
    ...['-fps_mode', 'passthrough', '-c:v', 'rawvideo', '-f', 'rawvideo', 'pipe:1'],
  ];
}

/** Alpha is straight: colours are not yet multiplied by it. */
function putOver(rgba: Uint8Array, background: number): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3] as number;
    for (let i = 0; i < 3; i++) {
      rgb[to + i] = Math.round(((rgba[from + i] as number) * alpha + background * (255 - alpha)) / 255);
    }
  }
  return rgb;
}
