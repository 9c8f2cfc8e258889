import { contrast, film, gate, hold, moving, paint, type Recipe, stretch, tones } from './film.ts';

const raw = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'];
const lossy = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-bf', '2'];
const fields = moving('50');
const [left, right] = tones.split('|') as [string, string];

/** Nothing is wrong with these. */
export const cleanFilms: Recipe[] = [
  ...['mp4', 'mov', 'mkv', 'ts', 'avi', 'mpg', 'mxf'].map((extension) =>
    film({ name: `a film as ${extension}`, extension }),
  ),
  ...['wav', 'flac', 'aiff', 'm4a', 'mp3', 'ogg'].map((extension) =>
    film({ name: `a sound as ${extension}`, extension, picture: null }),
  ),
  ...['24000/1001', '30000/1001', '60'].map((rate) =>
    film({ name: `${rate} pictures a second`, rate, extension: 'mkv' }),
  ),
  film({ name: 'packed with loss', video: lossy, audio: ['-c:a', 'aac'] }),
  film({ name: 'two seconds of black', picture: paint('black', 3, 5) }),
  film({ name: 'five seconds of standstill', seconds: 3, soundSeconds: 8, picture: hold(30, 124) }),
  film({ name: 'three seconds of silence', sound: `(${left})*${gate(2, 5)}|(${right})*${gate(2, 5)}` }),
  film({ name: 'dark, but not black', picture: "format=yuv420p,lutyuv=y='50+val/8',hue=s=0.2" }),
  film({
    name: 'a night with a moon',
    picture: `${paint('black', 2, 6)},drawbox=x=60:y=20:w=40:h=30:c=white:t=fill`,
  }),
  film({ name: 'ten frames of black, many times', picture: "drawbox=c=black:t=fill:enable='lt(mod(t,1),0.4)'" }),
  film({
    name: 'top field first, and says so',
    source: fields,
    picture: 'tinterlace=mode=interleave_top,setfield=tff',
    video: [...raw, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
  }),
  film({
    name: 'bottom field first, and says so',
    source: fields,
    picture: 'tinterlace=mode=interleave_bottom,setfield=bff',
    video: [...raw, '-flags', '+ilme+ildct', '-x264-params', 'bff=1'],
  }),
  film({
    name: 'whole pictures in an interlaced stream',
    picture: 'setfield=tff',
    video: [...raw, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
  }),
  film({
    name: 'full range, and says so',
    picture: `${contrast},${stretch},setrange=full`,
    video: [...raw, '-color_range', 'pc'],
  }),
  film({ name: 'bars of full colour', source: 'smptebars=s=192x108:r=25:d=8', picture: 'scroll=h=0.01' }),
  film({ name: 'sharp white on black', seconds: 4, source: 'testsrc=s=640x360:r=25:d=4' }),
  film({ name: 'mono', extension: 'wav', picture: null, sound: left }),
  film({
    name: 'a tone just below full scale',
    extension: 'wav',
    picture: null,
    sound: '0.99*sin(997*2*PI*t)|0.1*sin(554*2*PI*t)',
  }),
  film({
    name: 'very quiet, but there',
    extension: 'wav',
    picture: null,
    sound: '0.003*sin(440*2*PI*t)|0.003*sin(554*2*PI*t)',
  }),
  film({
    name: 'left and right nearly the same',
    extension: 'wav',
    picture: null,
    sound: `${left}|${left}+0.01*(${right})`,
  }),
  film({
    name: 'wide stereo',
    extension: 'wav',
    picture: null,
    sound: `${left}+0.05*sin(900*t)|0.5*(${left})-0.1*sin(900*t)`,
  }),
  film({
    name: '5.1 without effects',
    extension: 'mkv',
    layout: '5.1',
    sound: `${left}|${right}|0.1*sin(2000*t)|0|0.05*sin(300*t)|0.05*sin(370*t)`,
  }),
  film({ name: 'sound that ends a little early', soundSeconds: 7.6 }),
  film({ name: 'one picture left out', picture: "select='not(eq(n,60))'", video: [...raw, '-fps_mode', 'vfr'] }),
];
