import {
  clip,
  contrastAreas,
  expandRange,
  fillFrame,
  movingSource,
  muteDuring,
  type Recipe,
  repeatFrame,
  tones,
} from './clip.ts';

const losslessEncoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'];
const lossyEncoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-bf', '2'];
const fieldSource = movingSource('50');
const [left, right] = tones.split('|') as [string, string];

/** Clips without faults. */
export const cleanClips: Recipe[] = [
  ...['mp4', 'mov', 'mkv', 'ts', 'avi', 'mpg', 'mxf'].map((extension) =>
    clip({ name: `video as ${extension}`, extension }),
  ),
  ...['wav', 'flac', 'aiff', 'm4a', 'mp3', 'ogg'].map((extension) =>
    clip({ name: `audio as ${extension}`, extension, videoFilter: null }),
  ),
  ...['24000/1001', '30000/1001', '60'].map((rate) =>
    clip({ name: `${rate} frames a second`, rate, extension: 'mkv' }),
  ),
  clip({ name: 'lossy', video: lossyEncoding, audio: ['-c:a', 'aac'] }),
  clip({ name: 'two seconds of black', videoFilter: fillFrame('black', 3, 5) }),
  clip({ name: 'five seconds frozen', seconds: 3, audioSeconds: 8, videoFilter: repeatFrame(30, 124) }),
  clip({
    name: 'three seconds of silence',
    audioExpression: `(${left})*${muteDuring(2, 5)}|(${right})*${muteDuring(2, 5)}`,
  }),
  clip({ name: 'dark, but not black', videoFilter: "format=yuv420p,lutyuv=y='50+val/8',hue=s=0.2" }),
  clip({
    name: 'black with a bright spot',
    videoFilter: `${fillFrame('black', 2, 6)},drawbox=x=60:y=20:w=40:h=30:c=white:t=fill`,
  }),
  clip({ name: 'ten frames of black, many times', videoFilter: "drawbox=c=black:t=fill:enable='lt(mod(t,1),0.4)'" }),
  clip({
    name: 'top field first, correctly flagged',
    source: fieldSource,
    videoFilter: 'tinterlace=mode=interleave_top,setfield=tff',
    video: [...losslessEncoding, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
  }),
  clip({
    name: 'bottom field first, correctly flagged',
    source: fieldSource,
    videoFilter: 'tinterlace=mode=interleave_bottom,setfield=bff',
    video: [...losslessEncoding, '-flags', '+ilme+ildct', '-x264-params', 'bff=1'],
  }),
  clip({
    name: 'progressive frames in an interlaced stream',
    videoFilter: 'setfield=tff',
    video: [...losslessEncoding, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
  }),
  clip({
    name: 'full range, correctly flagged',
    videoFilter: `${contrastAreas},${expandRange},setrange=full`,
    video: [...losslessEncoding, '-color_range', 'pc'],
  }),
  clip({ name: 'saturated colour bars', source: 'smptebars=s=192x108:r=25:d=8', videoFilter: 'scroll=h=0.01' }),
  clip({ name: 'sharp white on black', seconds: 4, source: 'testsrc=s=640x360:r=25:d=4' }),
  clip({ name: 'mono', extension: 'wav', videoFilter: null, audioExpression: left }),
  clip({
    name: 'a tone just below full scale',
    extension: 'wav',
    videoFilter: null,
    audioExpression: '0.99*sin(997*2*PI*t)|0.1*sin(554*2*PI*t)',
  }),
  clip({
    name: 'very quiet, but not silent',
    extension: 'wav',
    videoFilter: null,
    audioExpression: '0.003*sin(440*2*PI*t)|0.003*sin(554*2*PI*t)',
  }),
  clip({
    name: 'left and right nearly the same',
    extension: 'wav',
    videoFilter: null,
    audioExpression: `${left}|${left}+0.01*(${right})`,
  }),
  clip({
    name: 'wide stereo',
    extension: 'wav',
    videoFilter: null,
    audioExpression: `${left}+0.05*sin(900*t)|0.5*(${left})-0.1*sin(900*t)`,
  }),
  clip({
    name: '5.1 with a silent LFE channel',
    extension: 'mkv',
    layout: '5.1',
    audioExpression: `${left}|${right}|0.1*sin(2000*t)|0|0.05*sin(300*t)|0.05*sin(370*t)`,
  }),
  clip({ name: 'audio that ends a little early', audioSeconds: 7.6 }),
  clip({
    name: 'one dropped frame',
    videoFilter: "select='not(eq(n,60))'",
    video: [...losslessEncoding, '-fps_mode', 'vfr'],
  }),
];
