import { availableParallelism } from 'node:os';
import { layoutChannelsMax } from '../probe/programmes.ts';
import { muxers } from './decoder-log.ts';
import { analysisSizeOf } from './flashes/flashes.ts';
import type { SelectedProgramme, SelectedStreams } from './select-streams.ts';
import {
  type AudioFormat,
  fieldVerdictKey,
  levelSampleSize,
  neighbourCount,
  type Tap,
  type VideoFormat,
} from './signal/observer.ts';

/** A tap and the pipe that its output is written to. */
export type Outlet = {
  tap: Tap;
  /** The audio programme of a tap for audio, counted from 0. */
  programme: number;
  pipe: string;
};

const stripWidth = 120;
/** The shortest frame duration of a GIF is a hundredth of a second. */
const loopFramesPerSecondMax = 100;

/** The muxer `rawvideo` would write the same bytes, but its messages look like those of the decoder `rawvideo`. */
const rawVideoOutput = ['-c:v', 'rawvideo', '-f', muxers.video];

/** Each filter graph has as many threads as the machine has cores, which are too many if there are many graphs. */
const graphThreads = Math.min(4, availableParallelism());

/**
 * ffmpeg's arguments after its input: filter graphs with only these taps, each with its own pipe. Each audio programme has
 * a graph of its own: ffmpeg restarts a graph when a frame has another size, pixel format or rotation, and the
 * measurement of the audio before it would be lost. A graph also waits until all its inputs have a frame.
 */
export function tapArguments(streams: SelectedStreams, outlets: readonly Outlet[]): string[] {
  const { format, videoStream, programmes } = streams;
  const videoOutlets = outlets.filter(({ tap }) => tap in videoTaps || tap === 'frames');
  const pipeOf = (name: Tap) => outlets.find(({ tap }) => tap === name)?.pipe ?? '';
  const videoGraph: string[] = [];
  const outputs: string[] = [];
  // The timestamps of a hostile loop may decrease, and -t would never end it; a frame count does.
  const bound = streams.isLoop
    ? ['-frames:v', `${Math.ceil((format.durationSeconds ?? 1) * loopFramesPerSecondMax)}`]
    : [];
  if (format.video && videoOutlets.length > 0) {
    videoGraph.push(
      `[0:${videoStream}]split=${videoOutlets.length}${videoOutlets.map(({ tap }) => `[to-${tap}]`).join('')}`,
    );
    for (const { tap, pipe } of videoOutlets) {
      const filter =
        tap === 'frames' ? fullFrames(format.video, pipeOf('frameClock')) : videoTaps[tap]?.(format.video, pipe);
      videoGraph.push(`[to-${tap}]${filter}`);
      if (tap === 'smallFrames' || tap === 'levels' || tap === 'frames')
        outputs.push('-map', `[${tap}]`, ...bound, '-fps_mode', 'passthrough', ...rawVideoOutput, pipe);
    }
  }
  const graphs = videoGraph.length > 0 ? [videoGraph.join(';')] : [];
  for (const [n, programme] of programmes.entries()) {
    const audioOutlets = outlets.filter((outlet) => outlet.tap in audioTaps && outlet.programme === n);
    if (audioOutlets.length === 0) continue;
    graphs.push(audioGraph(programme, audioOutlets));
    for (const { tap, pipe } of audioOutlets) {
      const written = tap === 'samples' ? ['-f', muxers.samples, pipe] : ['-f', muxers.none, '-'];
      outputs.push('-map', `[${tap}${n}]`, ...written);
    }
  }
  const threads = graphs.length > 2 ? ['-filter_complex_threads', `${graphThreads}`] : [];
  return [...threads, ...graphs.flatMap((graph) => ['-filter_complex', graph]), ...outputs];
}

function audioGraph({ tracks, format }: SelectedProgramme, outlets: readonly Outlet[]): string {
  const padded = tracks.map(({ index, endSeconds }) =>
    endSeconds === null ? [] : `[0:${index}]apad=whole_dur=${endSeconds}[padded-${index}]`,
  );
  const inputs = tracks.map(({ index, endSeconds }) => (endSeconds === null ? `[0:${index}]` : `[padded-${index}]`));
  const joined = tracks.length > 1 ? `amerge=inputs=${tracks.length},` : '';
  const split = `asplit=${outlets.length}${outlets.map(({ tap }) => `[to-${tap}]`).join('')}`;
  return [
    ...padded.flat(),
    `${inputs.join('')}${joined}${split}`,
    ...outlets.map(({ tap, programme, pipe }) => `[to-${tap}]${audioTaps[tap]?.(format, pipe)}[${tap}${programme}]`),
  ].join(';');
}

/** ffmpeg's names of the pixel formats of full frames, by bit depth. */
const pixelFormats = {
  8: { yuv: 'yuv420p|yuvj420p', rgb: 'gbrp', alpha: 'gbrap' },
  10: { yuv: 'yuv420p10le', rgb: 'gbrp10le', alpha: 'gbrap10le' },
};

const videoTaps: Partial<Record<Tap, (format: VideoFormat, pipe: string) => string>> = {
  // Always scaled, even if the size should already match: decoded frames may differ from the container's declaration.
  smallFrames: ({ small, matrix }) =>
    `scale=${small.width}:${small.height}:flags=area:in_color_matrix=${matrix},format=rgb24[smallFrames]`,
  levels: sampledLevels,
  // Raw frames have no timestamps. This prints one per frame, even after a size change restarts the filter graph.
  clock: (_, pipe) => `metadata=mode=add:key=clock:value=1,${printFilter('clock', pipe)},nullsink`,
  // A strip at the centre in full height costs a sixteenth of the frame and has all lines, so it shows the fields too.
  fields: (_, pipe) => `crop=min(iw\\,${stripWidth}):ih,idet,${printFilter(fieldVerdictKey, pipe)},nullsink`,
};

/**
 * Single pixels at even distances, and their neighbours: the frame is sampled nine times, each time moved by a pixel, and
 * the samples are stacked. Moving costs nothing, unlike averaging the whole frame.
 */
function sampledLevels({ isFullRange, matrix }: VideoFormat): string {
  const range = isFullRange ? 'full' : 'limited';
  const { width, height } = levelSampleSize;
  const sampled = `scale=${width}:${height}:flags=neighbor:out_range=${range}:out_color_matrix=${matrix},format=yuv444p`;
  const places = Array.from({ length: neighbourCount }, (_, n) => ({ n, across: n % 3, down: Math.floor(n / 3) }));
  return [
    `split=${neighbourCount}${places.map(({ n }) => `[place-${n}]`).join('')}`,
    ...places.map(
      ({ n, across, down }) =>
        `;[place-${n}]crop=max(iw-2\\,1):max(ih-2\\,1):${across}:${down}:exact=1,${sampled}[sampled-${n}]`,
    ),
    `;${places.map(({ n }) => `[sampled-${n}]`).join('')}vstack=${neighbourCount}[levels]`,
  ].join('');
}

/**
 * Full frames, with the timestamps in another pipe. 8-bit 4:2:0, or 10-bit with PQ and HLG, is not converted unless it
 * is too large; RGB stays RGB, and what is transparent becomes RGB with alpha.
 */
function fullFrames(format: VideoFormat, clockPipe: string): string {
  const { width, height } = analysisSizeOf(format.width, format.height);
  const { isPlain, isRgb, hasAlpha, isFullRange, matrix, bits, fieldOrder } = format;
  // Both matrices are set: ffmpeg assumes BT.601 if a video does not declare a matrix, and would convert its colours.
  const matrices = `in_color_matrix=${matrix}:out_color_matrix=${matrix}`;
  const range = hasAlpha ? '' : `:out_range=${isFullRange ? 'full' : 'limited'}`;
  const colours = isPlain || isRgb ? '' : `${range}:${hasAlpha ? `in_color_matrix=${matrix}` : matrices}`;
  // Without this, lines of chroma of the two fields would be mixed.
  const fields = fieldOrder === 'tff' || fieldOrder === 'bff' ? ':interl=1' : '';
  const pixelFormat = pixelFormats[bits][hasAlpha ? 'alpha' : isRgb ? 'rgb' : 'yuv'];
  return `metadata=mode=add:key=clock:value=1,${printFilter('clock', clockPipe)},scale=${width}:${height}:flags=area${colours}${fields},format=${pixelFormat}[frames]`;
}

const audioTaps: Partial<Record<Tap, (format: AudioFormat, pipe: string) => string>> = {
  // No layout with channel weights exists for more than eight channels; by convention the first two are the stereo mix.
  loudness: ({ channels }, pipe) =>
    `${channels > layoutChannelsMax ? 'pan=stereo|c0=c0|c1=c1,' : ''}ebur128=peak=true:metadata=1,ametadata=mode=print:file=${escapeColon(pipe)}:direct=1`,
  // Gaps and a late start become silence, so that a sample's index determines its time.
  samples: () => 'aresample=async=1:first_pts=0,aformat=sample_fmts=flt',
};

// The time base is microseconds because pts is read instead of pts_time, which ffmpeg prints with six digits: after
// 1000 s, only hundredths.
export const printFilter = (key: string, pipe: string) =>
  `settb=AVTB,metadata=mode=print:key=${key}:file=${escapeColon(pipe)}:direct=1`;

function escapeColon(pipe: string): string {
  return pipe.replace(':', '\\\\:');
}
