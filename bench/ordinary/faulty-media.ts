import {
  aac,
  forSeconds,
  h264,
  lavfi,
  mapVideoAndAudio,
  music,
  pannedPhoto,
  type Recipes,
  recordingPath,
  repeatedRecording,
  speech,
  stereo,
  toFields,
} from './recipe.ts';

const interview = [...repeatedRecording('carphone_pristine.mp4'), ...speech('rms'), ...mapVideoAndAudio];
const bikes = [...repeatedRecording('bikes.mp4'), ...music(0.6), ...mapVideoAndAudio];
const enabledDuring = (from: number, to: number) => `enable='between(t,${from},${to})'`;
const fillFrame = (color: string, enable: string) => `drawbox=0:0:iw:ih:${color}:fill:${enable}`;
/** Expands 16 … 235 to 0 … 255, regardless of the range flag. */
const stretchedLevels =
  "lutyuv=y='clip((val-16)*255/219,0,255)':u='clip((val-128)*255/224+128,0,255)':v='clip((val-128)*255/224+128,0,255)'";
const blackAndWhite = 'drawbox=0:0:100:60:black:fill,drawbox=110:0:100:60:white:fill,format=yuv420p';

/** Video and audio files with a fault that a reviewer would return. */
export const faultyMedia: Recipes = {
  'broken-off.mp4': {
    ffmpeg: [...bikes, ...forSeconds(9), ...h264, ...aac, '-movflags', '+faststart'],
    keptShare: 0.6,
  },
  'broken-off.webm': {
    ffmpeg: [...bikes, ...forSeconds(9), '-c:v', 'libvpx', '-b:v', '800k', '-cpu-used', '8', '-c:a', 'libvorbis'],
    keptShare: 0.5,
  },
  'damaged.mkv': { ffmpeg: [...bikes, ...forSeconds(9), ...h264, ...aac], damagedBytes: 3000 },
  'broken-off.wav': { ffmpeg: [...speech('slt'), ...forSeconds(10)], keptShare: 0.5 },
  'broken-off.flac': { ffmpeg: [...music(), ...forSeconds(10), '-sample_fmt', 's16'], keptShare: 0.6 },
  'clipped-interview.wav': {
    ffmpeg: [...speech('rms', 'volume=24dB:precision=fixed'), ...forSeconds(10), '-c:a', 'pcm_s16le'],
  },
  'clipped-music.flac': { ffmpeg: [...music(6, 'aformat=s16'), ...forSeconds(10)] },
  'black-in-the-middle.mp4': {
    ffmpeg: [
      ...interview,
      '-vf',
      `scale=352:288,${fillFrame('black', enabledDuring(6, 10))}`,
      ...forSeconds(16),
      ...h264,
      ...aac,
    ],
  },
  'black-throughout.mp4': {
    ffmpeg: [
      ...lavfi('color=black:s=352x288:r=25'),
      ...speech('rms'),
      ...mapVideoAndAudio,
      ...forSeconds(12),
      ...h264,
      ...aac,
    ],
  },
  'picture-stuck.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('bikes.mp4'), ...speech('awb'), '-filter_complex'],
      '[0:v]split[a][b];[a]trim=0:4,loop=loop=225:size=1:start=99[c];[b]trim=4:7,setpts=PTS-STARTPTS[d];[c][d]concat,setpts=N/25/TB[v]',
      ...['-map', '[v]', '-map', '1:a', ...forSeconds(15), ...h264, ...aac],
    ],
  },
  'right-channel-missing.mp4': {
    ffmpeg: [...interview, '-vf', 'scale=352:288', '-af', 'pan=stereo|c0=c0', ...forSeconds(12), ...h264, ...aac],
  },
  'left-channel-missing.wav': { ffmpeg: [...speech('slt', 'pan=stereo|c1=c0'), ...forSeconds(10)] },
  'centre-missing.mov': {
    ffmpeg: [
      ...[
        ...repeatedRecording('bikes.mp4'),
        ...music(0.6, 'pan=5.1|FL=c0|FR=c1|LFE=0.2*c0|BL=0.5*c0|BR=0.5*c1'),
        ...mapVideoAndAudio,
      ],
      ...[...forSeconds(8), ...h264, '-c:a', 'pcm_s16le'],
    ],
  },
  'phase-inverted.wav': { ffmpeg: [...speech('rms', 'pan=stereo|c0=c0|c1=-1*c0'), ...forSeconds(10)] },
  'phase-inverted.mp4': {
    ffmpeg: [...bikes, '-af', 'pan=stereo|c0=c0|c1=-0.95*c0', ...forSeconds(9), ...h264, ...aac],
  },
  'dropped-sound.mp4': {
    ffmpeg: [
      ...[...interview, '-vf', 'scale=352:288', '-af', `volume=0:${enabledDuring(5, 15)}`],
      ...[...forSeconds(20), ...h264, ...aac, ...stereo],
    ],
  },
  'sound-ends-early.mp4': {
    ffmpeg: [...interview, '-vf', 'scale=352:288', '-af', 'atrim=0:8', ...forSeconds(12), ...h264, ...aac],
  },
  'white-flashes.mp4': {
    ffmpeg: [
      ...bikes,
      '-vf',
      fillFrame('white', "enable='between(t,3,6)*lt(mod(t,0.2),0.1)'"),
      ...forSeconds(9),
      ...h264,
      ...aac,
    ],
  },
  'red-flashes.mp4': {
    ffmpeg: [
      ...[
        ...bikes,
        '-vf',
        `${fillFrame('black', enabledDuring(3, 6))},${fillFrame('red', "enable='between(t,3,6)*lt(mod(t,0.2),0.1)'")}`,
      ],
      ...[...forSeconds(9), ...h264, ...aac],
    ],
  },
  'concert-strobe.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('intel-one-by-one.mp4'), ...music(), ...mapVideoAndAudio, '-vf'],
      `fps=25,scale=640:360,eq=brightness=-0.35,${fillFrame('white@0.75', "enable='between(t,2,7)*lt(mod(t,0.16),0.08)'")}`,
      ...[...forSeconds(9), ...h264, ...aac],
    ],
  },
  'stripes.mp4': {
    ffmpeg: [
      ...lavfi("color=white:s=640x360:r=25,format=gray,geq=lum='if(lt(mod(Y,30),15),235,16)'"),
      ...[...music(0.6), ...mapVideoAndAudio, ...forSeconds(6), ...h264, ...aac],
    ],
  },
  'fields-not-flagged.mp4': {
    ffmpeg: [
      ...[...pannedPhoto, ...speech('slt'), ...mapVideoAndAudio, '-vf', `${toFields},setfield=prog`],
      ...[...forSeconds(8), ...h264, ...aac],
    ],
  },
  'fields-in-the-wrong-order.mpg': {
    ffmpeg: [
      ...[...pannedPhoto, ...speech('slt'), ...mapVideoAndAudio, '-vf', `${toFields},setfield=bff`, ...forSeconds(8)],
      ...['-c:v', 'mpeg2video', '-b:v', '6M', '-flags', '+ildct+ilme', '-top', '0', '-c:a', 'mp2', ...stereo],
    ],
  },
  'full-range-not-flagged.mp4': {
    ffmpeg: [
      ...bikes,
      '-vf',
      `${blackAndWhite},${stretchedLevels}`,
      '-color_range',
      'tv',
      ...forSeconds(8),
      ...h264,
      ...aac,
    ],
  },
  'limited-range-flagged-full.mp4': {
    ffmpeg: [
      ...bikes,
      '-vf',
      `${blackAndWhite},setrange=full`,
      '-color_range',
      'pc',
      ...forSeconds(8),
      ...h264,
      ...aac,
    ],
  },
  'phone-with-position.mp4': {
    ffmpeg: [
      ...['-i', recordingPath('mdn-rabbit.mp4'), ...h264, ...aac, '-metadata', 'location=+48.8582+002.2945/'],
      ...['-metadata', 'location-eng=+48.8582+002.2945/'],
    ],
  },
};
