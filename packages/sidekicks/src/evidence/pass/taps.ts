import type { Reel } from './film.ts';
import { sizeOfLook } from './flashes/flashes.ts';
import { levelSampleSize, type PictureFormat, type SoundFormat, type Tap } from './observer.ts';

/** The order of the pipes in which a decoding lets things out. */
export type Outlet = { tap: Tap; pipe: string };

const stripWidth = 120;
const layoutChannelsMax = 8;
/** A hundredth of a second is the shortest that a GIF can say. */
const loopPicturesPerSecondMax = 100;

/** The arguments of ffmpeg after its input: a filter graph with just these taps, each into its own pipe. */
export function tapArguments(reel: Reel, outlets: readonly Outlet[]): string[] {
  const { film, pictureStream, soundStreams } = reel;
  const pictures = outlets.filter(({ tap }) => tap in pictureTaps || tap === 'frames');
  const pipeOf = (name: Tap) => outlets.find(({ tap }) => tap === name)?.pipe ?? '';
  const sounds = outlets.filter(({ tap }) => tap in soundTaps);
  const graph: string[] = [];
  const outputs: string[] = [];
  // Where times run backwards, as those of a hostile loop may, only a number ends it.
  const bound = reel.isLoop
    ? ['-frames:v', `${Math.ceil((film.durationSeconds ?? 1) * loopPicturesPerSecondMax)}`]
    : [];
  if (film.picture && pictures.length > 0) {
    graph.push(`[0:${pictureStream}]split=${pictures.length}${pictures.map(({ tap }) => `[to-${tap}]`).join('')}`);
    for (const { tap, pipe } of pictures) {
      const filter =
        tap === 'frames' ? wholePictures(film.picture, pipeOf('frameClock')) : pictureTaps[tap]?.(film.picture, pipe);
      graph.push(`[to-${tap}]${filter}`);
      if (tap === 'picture' || tap === 'levels' || tap === 'frames')
        outputs.push('-map', `[${tap}]`, ...bound, '-fps_mode', 'passthrough', '-f', 'rawvideo', pipe);
    }
  }
  if (film.sound && sounds.length > 0) {
    const inputs = soundStreams.map((index) => `[0:${index}]`).join('');
    const joined = soundStreams.length > 1 ? `amerge=inputs=${soundStreams.length},` : '';
    graph.push(`${inputs}${joined}asplit=${sounds.length}${sounds.map(({ tap }) => `[to-${tap}]`).join('')}`);
    for (const { tap, pipe } of sounds) {
      graph.push(`[to-${tap}]${soundTaps[tap]?.(film.sound, pipe)}`);
      outputs.push('-map', `[${tap}]`, ...(tap === 'samples' ? ['-f', 'f32le', pipe] : ['-f', 'null', '-']));
    }
  }
  return ['-filter_complex', graph.join(';'), ...outputs];
}

const pictureTaps: Partial<Record<Tap, (format: PictureFormat, pipe: string) => string>> = {
  // Always with its size, also of those that are not shrunk: what is decoded need not be what the container says.
  picture: ({ small, matrix }) =>
    `scale=${small.width}:${small.height}:flags=area:in_color_matrix=${matrix},format=rgb24[picture]`,
  levels: ({ isFullRange, matrix }) => {
    const range = isFullRange ? 'full' : 'limited';
    const { width, height } = levelSampleSize;
    return `scale=${width}:${height}:flags=neighbor:out_range=${range}:out_color_matrix=${matrix},format=yuv444p[levels]`;
  },
  // Raw pictures carry no times; this says one of each, also when the film changes its size and the graph begins anew.
  clock: (_, pipe) => `metadata=mode=add:key=clock:value=1,${printed('clock', pipe)},nullsink`,
  // A strip of the middle in full height costs a sixteenth of the picture, and its lines tell the fields as well.
  fields: (_, pipe) =>
    `crop=min(iw\\,${stripWidth}):ih,idet,${printed('lavfi.idet.multiple.current_frame', pipe)},nullsink`,
};

/** Each with its time into another pipe. What is 4:2:0 of 8 bits and not too large goes as it is; RGB stays RGB. */
function wholePictures(format: PictureFormat, clockPipe: string): string {
  const { width, height } = sizeOfLook(format.width, format.height);
  const { isPlain, isRgb, isFullRange, matrix } = format;
  const colours = isPlain || isRgb ? '' : `:out_range=${isFullRange ? 'full' : 'limited'}:out_color_matrix=${matrix}`;
  return `metadata=mode=add:key=clock:value=1,${printed('clock', clockPipe)},scale=${width}:${height}:flags=area${colours},format=${isRgb ? 'gbrp' : 'yuv420p|yuvj420p'}[frames]`;
}

const soundTaps: Partial<Record<Tap, (format: SoundFormat, pipe: string) => string>> = {
  // More than eight channels have no layout by which they could be weighed: the first two are the mix by custom.
  loudness: ({ channels }, pipe) =>
    `${channels > layoutChannelsMax ? 'pan=stereo|c0=c0|c1=c1,' : ''}ebur128=peak=true:metadata=1,ametadata=mode=print:file=${escaped(pipe)}:direct=1[loudness]`,
  // Gaps and a late start become silence, so that the n-th sample has the n-th moment of the film.
  samples: () => 'aresample=async=1:first_pts=0,aformat=sample_fmts=flt[samples]',
};

// In microseconds: ffmpeg prints seconds with six digits, which are hundredths after a quarter of an hour.
const printed = (key: string, pipe: string) =>
  `settb=AVTB,metadata=mode=print:key=${key}:file=${escaped(pipe)}:direct=1`;

function escaped(pipe: string): string {
  return pipe.replace(':', '\\\\:');
}
