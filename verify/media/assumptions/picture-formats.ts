import { type Assumption, made } from './assumption.ts';
import { h264, lavfi, lossless, still, strobe } from './sources.ts';

const check = 'photosensitivity';
export const flashes = (atSeconds = 0) => ({ 'PSE-LUMINANCE': { atSeconds, within: 0.35 } });

/** A strobe in one pixel format. */
const inFormat = (pixelFormat: string, filename = 'a.mkv', codec = lossless) =>
  ({
    promise: `finds flashes in pixels of the format ${pixelFormat}`,
    check,
    filename,
    make: () => made(`.${filename.split('.').at(-1)}`, `${lavfi(strobe())} ${codec} -pix_fmt ${pixelFormat}`),
    issues: flashes(),
  }) satisfies Assumption;

/** Frames of unusual formats, sizes and rates. */
export const pictureFormats: Assumption[] = [
  ...['gray', 'yuv411p', 'yuv410p', 'yuv440p', 'yuv444p12le', 'gbrp10le', 'gray10le', 'rgb48le', 'yuva444p10le'].map(
    (format) => inFormat(format),
  ),
  inFormat('monob', 'a.avi', '-c:v rawvideo'),
  inFormat('pal8', 'a.mov', '-c:v png'),
  inFormat('xyz12le', 'a.mov', '-c:v libopenjpeg'),
  {
    promise: 'finds flashes on transparency in WebM, whose alpha channel is a second stream of data',
    check,
    filename: 'a.webm',
    make: () =>
      made('.webm', `${lavfi(transparentStrobe)} -c:v libvpx-vp9 -pix_fmt yuva420p -deadline realtime -cpu-used 8`),
    issues: flashes(),
  },
  {
    promise: 'finds flashes on transparency in WebM with VP8',
    check,
    filename: 'a.webm',
    make: () =>
      made('.webm', `${lavfi(transparentStrobe)} -c:v libvpx -auto-alt-ref 0 -pix_fmt yuva420p -deadline realtime`),
    issues: flashes(),
  },
  {
    promise: 'finds flashes on transparency in QuickTime Animation',
    check,
    filename: 'a.mov',
    make: () => made('.mov', `${lavfi(transparentStrobe)} -c:v qtrle -pix_fmt argb`),
    issues: flashes(),
  },
  ...['2x2', '3x3', '640x64', '64x640'].map(
    (size): Assumption => ({
      promise: `finds flashes that fill a frame of ${size}`,
      check,
      filename: 'a.mkv',
      make: () => made('.mkv', `${lavfi(strobe(size, 1))} -vf format=gbrp ${lossless}`),
      issues: flashes(),
    }),
  ),
  {
    promise: 'finds flashes of 6 Hz at 240 frames a second',
    check,
    filename: 'a.mkv',
    make: () => made('.mkv', `${lavfi(`${strobe('64x48', 2)},fps=240`)} ${h264}`),
    issues: flashes(),
  },
  {
    promise: 'finds flashes if the frame rate varies',
    check,
    filename: 'a.mkv',
    make: () => made('.mkv', `${lavfi(`${strobe('64x48', 2)},setpts=PTS+mod(N\\,3)*0.008/TB`)} -vsync vfr ${h264}`),
    issues: flashes(),
  },
  {
    promise: 'is complete for a video of a single frame',
    check,
    filename: 'a.mp4',
    make: () => made('.mp4', `${lavfi(still('64x48', 1, 1))} ${h264} -frames:v 1`),
  },
  {
    promise: 'does not count changes of a video with one frame a second',
    check,
    filename: 'a.mp4',
    make: () => made('.mp4', `${lavfi(strobe('64x48', 10, 1))} ${h264}`),
  },
];

const transparentStrobe =
  "color=white:s=64x48:r=24:d=2,format=yuva420p,geq=lum=235:cb=128:cr=128:a='if(lt(mod(N\\,4)\\,2)\\,255\\,0)'";
