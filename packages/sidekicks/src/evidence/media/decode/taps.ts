import { muxers } from './decoder-log.ts';
import { analysisSizeOf } from './flashes/flashes.ts';
import type { SelectedStreams } from './select-streams.ts';
import { type AudioFormat, fieldVerdictKey, levelSampleSize, type Tap, type VideoFormat } from './signal/observer.ts';

/** A tap and the pipe that its output is written to. */
export type Outlet = { tap: Tap; pipe: string };

const stripWidth = 120;
const layoutChannelsMax = 8;
/** The shortest frame duration of a GIF is a hundredth of a second. */
const loopFramesPerSecondMax = 100;

/** The muxer `rawvideo` would write the same bytes, but its messages look like those of the decoder `rawvideo`. */
const rawVideoOutput = ['-c:v', 'rawvideo', '-f', muxers.video];

/**
 * ffmpeg's arguments after its input: filter graphs with only these taps, each with its own pipe. Audio has a graph of
 * its own: ffmpeg restarts a graph when a frame has another size, pixel format or rotation, and the measurement of the
 * audio before it would be lost.
 */
export function tapArguments(streams: SelectedStreams, outlets: readonly Outlet[]): string[] {
  const { format, videoStream, audioStreams } = streams;
  const videoOutlets = outlets.filter(({ tap }) => tap in videoTaps || tap === 'frames');
  const pipeOf = (name: Tap) => outlets.find(({ tap }) => tap === name)?.pipe ?? '';
  const audioOutlets = outlets.filter(({ tap }) => tap in audioTaps);
  const [videoGraph, audioGraph]: [string[], string[]] = [[], []];
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
  if (format.audio && audioOutlets.length > 0) {
    const inputs = audioStreams.map((index) => `[0:${index}]`).join('');
    const joined = audioStreams.length > 1 ? `amerge=inputs=${audioStreams.length},` : '';
    audioGraph.push(
      `${inputs}${joined}asplit=${audioOutlets.length}${audioOutlets.map(({ tap }) => `[to-${tap}]`).join('')}`,
    );
    for (const { tap, pipe } of audioOutlets) {
      audioGraph.push(`[to-${tap}]${audioTaps[tap]?.(format.audio, pipe)}`);
      outputs.push(
        '-map',
        `[${tap}]`,
        ...(tap === 'samples' ? ['-f', muxers.samples, pipe] : ['-f', muxers.none, '-']),
      );
    }
  }
  const graphs = [videoGraph, audioGraph].filter((graph) => graph.length > 0);
  return [...graphs.flatMap((graph) => ['-filter_complex', graph.join(';')]), ...outputs];
}

/** ffmpeg's names of the pixel formats of full frames, by bit depth. */
const pixelFormats = {
  8: { yuv: 'yuv420p|yuvj420p', rgb: 'gbrp' },
  10: { yuv: 'yuv420p10le', rgb: 'gbrp10le' },
};

const videoTaps: Partial<Record<Tap, (format: VideoFormat, pipe: string) => string>> = {
  // Always scaled, even if the size should already match: decoded frames may differ from the container's declaration.
  smallFrames: ({ small, matrix }) =>
    `scale=${small.width}:${small.height}:flags=area:in_color_matrix=${matrix},format=rgb24[smallFrames]`,
  levels: ({ isFullRange, matrix }) => {
    const range = isFullRange ? 'full' : 'limited';
    const { width, height } = levelSampleSize;
    return `scale=${width}:${height}:flags=neighbor:out_range=${range}:out_color_matrix=${matrix},format=yuv444p[levels]`;
  },
  // Raw frames have no timestamps. This prints one per frame, even after a size change restarts the filter graph.
  clock: (_, pipe) => `metadata=mode=add:key=clock:value=1,${printFilter('clock', pipe)},nullsink`,
  // A strip at the centre in full height costs a sixteenth of the frame and has all lines, so it shows the fields too.
  fields: (_, pipe) => `crop=min(iw\\,${stripWidth}):ih,idet,${printFilter(fieldVerdictKey, pipe)},nullsink`,
};

/**
 * Full frames, with the timestamps in another pipe. 8-bit 4:2:0, or 10-bit with PQ and HLG, is not converted unless it
 * is too large; RGB stays RGB.
 */
function fullFrames(format: VideoFormat, clockPipe: string): string {
  const { width, height } = analysisSizeOf(format.width, format.height);
  const { isPlain, isRgb, isFullRange, matrix, bits } = format;
  // Both matrices are set: ffmpeg assumes BT.601 if a video does not declare a matrix, and would convert its colours.
  const matrices = `in_color_matrix=${matrix}:out_color_matrix=${matrix}`;
  const colours = isPlain || isRgb ? '' : `:out_range=${isFullRange ? 'full' : 'limited'}:${matrices}`;
  return `metadata=mode=add:key=clock:value=1,${printFilter('clock', clockPipe)},scale=${width}:${height}:flags=area${colours},format=${pixelFormats[bits][isRgb ? 'rgb' : 'yuv']}[frames]`;
}

const audioTaps: Partial<Record<Tap, (format: AudioFormat, pipe: string) => string>> = {
  // No layout with channel weights exists for more than eight channels; by convention the first two are the stereo mix.
  loudness: ({ channels }, pipe) =>
    `${channels > layoutChannelsMax ? 'pan=stereo|c0=c0|c1=c1,' : ''}ebur128=peak=true:metadata=1,ametadata=mode=print:file=${escapeColon(pipe)}:direct=1[loudness]`,
  // Gaps and a late start become silence, so that a sample's index determines its time.
  samples: () => 'aresample=async=1:first_pts=0,aformat=sample_fmts=flt[samples]',
};

// The time base is microseconds because pts is read instead of pts_time, which ffmpeg prints with six digits: after
// 1000 s, only hundredths.
const printFilter = (key: string, pipe: string) =>
  `settb=AVTB,metadata=mode=print:key=${key}:file=${escapeColon(pipe)}:direct=1`;

function escapeColon(pipe: string): string {
  return pipe.replace(':', '\\\\:');
}
