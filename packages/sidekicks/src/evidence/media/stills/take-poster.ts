import { posterSidePixelsMax } from '@assay/contract/limits.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withMemory } from '@assay/jail/with-memory.ts';
import type { ImageSize } from '#evidence/file/image/image-size.ts';
import { memoryOfFrames } from '#evidence/memory-of-frames.ts';
import { demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { mainStreams } from '../probe/streams.ts';
import type { Still } from './still.ts';
import { stillTool, takeFrame, unlessLimited } from './take-stills.ts';

/** ffmpeg's readers of single images. Their first image is the poster, also of an animated WebP. */
const imageDemuxers: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg_pipe'],
  ['image/png', 'png_pipe'],
  ['image/webp', 'webp_pipe'],
  ['image/bmp', 'bmp_pipe'],
  ['image/tiff', 'tiff_pipe'],
]);

const posterSecondsMax = 20;
/** Larger images have no poster: decoding one takes memory that the checks of other files need. */
const imagePixelsMax = 50_000_000;
const framesHeld = { video: 8, image: 2 };

/** Where the poster of a video is taken: after titles and fades. */
const usualShare = 0.1;
/** Mean luminance, where 1 is reference white. Darker frames show too little. */
const luminanceMin = 0.05;

type Luminance = { stepMs: number; values: readonly (number | null)[] };
type Subject = { recognition: string; probe: Probe | null; imageSize: ImageSize | null; timeMs: number };

/** A small still that shows what the file is; null without a picture, or if none can be decoded in time. */
export async function takePoster(
  source: Source,
  { recognition, probe, imageSize, timeMs }: Subject,
): Promise<Still | null> {
  const video = probe && mainStreams(probe).video;
  const imageDemuxer = imageDemuxers.get(recognition);
  const demuxer = imageDemuxer ?? (video ? demuxerOf(recognition) : undefined);
  const { width, height } = imageDemuxer ? (imageSize ?? {}) : (video ?? {});
  const pixels = (width ?? 0) * (height ?? 0);
  if (!demuxer || pixels === 0 || pixels > imagePixelsMax) return null;
  const need = memoryOfFrames(pixels, framesHeld[imageDemuxer ? 'image' : 'video'], 'deep');
  return await withMemory(source, need, async (held) => {
    // The declared duration may be longer than the video: then its first frame is the poster.
    for (const at of new Set([imageDemuxer ? 0 : timeMs, 0])) {
      const tool = stillTool(at, {
        demuxer,
        videoStream: imageDemuxer ? null : (video?.index ?? null),
        secondsMax: posterSecondsMax,
        sidePixelsMax: posterSidePixelsMax,
        framePixelsMax: imagePixelsMax,
      });
      const still = await unlessLimited(takeFrame(at, tool, held));
      if (still) return still;
    }
    return null;
  });
}

/** The first time after the start of the video at which it is not dark; if it always is, its brightest time. */
export function posterTimeOf(durationMs: number | null, luminance: Luminance | undefined): number {
  const usual = Math.round((durationMs ?? 0) * usualShare);
  if (!luminance) return usual;
  const { stepMs, values } = luminance;
  const first = Math.floor(usual / stepMs);
  const bright = values.findIndex((value, i) => i >= first && value !== null && value >= luminanceMin);
  if (bright === first) return usual;
  const brightest = values.indexOf(Math.max(...values.map((value) => value ?? 0)));
  return Math.round(Math.max(0, bright < 0 ? brightest : bright) * stepMs);
}
