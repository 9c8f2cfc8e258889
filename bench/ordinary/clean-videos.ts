import {
  aac,
  drawText,
  forSeconds,
  h264,
  hevc,
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

const slide = (title: string, lines: string[], from: number, to: number) =>
  [
    drawText(title, { size: 34, x: '40', y: '40', color: '0x203060', from, to }),
    ...lines.map((line, i) => drawText(line, { size: 20, x: '60', y: `${110 + 40 * i}`, color: '0x303030', from, to })),
  ].join(',');
const slides = [
  slide('Our year', ['Three new machines', 'Two hundred orders', 'One apprentice'], 0, 8),
  slide('What we learned', ['Measure twice', 'Write it down', 'Ask the customer'], 8, 16),
  slide('Next year', ['A second workshop', 'A shop in the town'], 16, 30),
].join(',');
const paper = (size = '640x360', rate = 25) => lavfi(`color=c=0xf4f1e8:s=${size}:r=${rate}`);

/** A terminal in which a line appears every second. */
const terminal = Array.from({ length: 12 }, (_, i) =>
  drawText(`$ make part-${i + 1} ... done`, {
    size: 16,
    x: '30',
    y: `${44 + 22 * i}`,
    color: '0xd0d0d0',
    from: 0.7 + i * 0.9,
  }),
).join(',');
const desktop = [
  'drawbox=0:0:iw:24:0x303846:fill',
  drawText('Terminal', { size: 14, y: '5' }),
  'drawbox=16:34:iw-32:ih-50:0x101418:fill',
  terminal,
].join(',');
const pointer = drawText('+', { size: 22, x: '120+mod(t*60,300)', y: '80+mod(t*35,200)' });

/** Video files as people make them, without a fault. */
export const cleanVideos: Recipes = {
  'slides-with-voice.mp4': {
    ffmpeg: [
      ...paper(),
      ...speech('slt'),
      ...mapVideoAndAudio,
      '-vf',
      slides,
      ...forSeconds(24),
      ...h264,
      ...aac,
      ...stereo,
    ],
  },
  'slides-fading.mp4': {
    ffmpeg: [
      ...[...paper(), ...speech('rms'), ...mapVideoAndAudio, '-vf', `${slides},fade=in:d=1,fade=out:st=23:d=1`],
      ...['-af', 'afade=t=in:d=0.5,afade=t=out:st=23:d=1', ...forSeconds(24), ...h264, ...aac],
    ],
  },
  'screen-recording.mp4': {
    ffmpeg: [...lavfi('color=c=0x5a7a9a:s=640x360:r=30'), '-vf', `${desktop},${pointer}`, ...forSeconds(14), ...h264],
  },
  'screen-recording-with-pauses.mkv': {
    ffmpeg: [
      ...[...lavfi('color=c=0x5a7a9a:s=640x360:r=15'), ...speech('kal', "volume='between(mod(t,10),0,6)':eval=frame")],
      ...[
        ...mapVideoAndAudio,
        '-vf',
        `${desktop},${pointer}`,
        ...forSeconds(20),
        ...h264,
        '-c:a',
        'libopus',
        '-ac',
        '1',
      ],
    ],
  },
  'screen-recording-typing.webm': {
    ffmpeg: [
      ...[...lavfi('color=c=0x101418:s=640x360:r=10'), '-vf', terminal, ...forSeconds(16)],
      ...['-c:v', 'libvpx', '-b:v', '500k', '-cpu-used', '8'],
    ],
  },
  'phone-variable-rate.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('bikes.mp4'), ...speech('awb', 'volume=0.4'), ...mapVideoAndAudio],
      ...['-vf', "scale=640:-2,settb=1/90000,setpts='PTS+if(mod(floor(N/7),3),0.003,0.014)/TB'", '-vsync', 'vfr'],
      ...['-enc_time_base:v', '1:90000', ...forSeconds(9), ...h264, ...aac, '-ac', '1'],
    ],
  },
  'phone-upright.mov': {
    ffmpeg: [
      ...[...repeatedRecording('mdn-crystal.mp4'), '-map', '0:v', '-map', '0:a', '-vf', 'scale=640:426'],
      ...[...forSeconds(8), ...h264, ...aac],
    ],
    turnedDegrees: 90,
  },
  'phone-hevc.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('mdn-elf.mp4'), '-map', '0:v', '-map', '0:a', '-vf', 'scale=480:320,format=yuv420p10le'],
      ...[...forSeconds(6), ...hevc, '-tag:v', 'hvc1', ...aac],
    ],
    turnedDegrees: 180,
  },
  'interview.mp4': {
    ffmpeg: [
      ...[
        ...repeatedRecording('carphone_pristine.mp4'),
        ...speech('rms', 'pan=stereo|c0=c0|c1=c0'),
        ...mapVideoAndAudio,
      ],
      ...['-vf', 'scale=352:288', ...forSeconds(16), ...h264, ...aac],
    ],
  },
  'interview-two-people.mov': {
    ffmpeg: [
      ...[...repeatedRecording('carphone_pristine.mp4'), ...repeatedRecording('intel-asl-book.mkv')],
      ...[
        ...speech('awb', "volume='lt(mod(t,12),6)':eval=frame"),
        ...speech('slt', "volume='gte(mod(t,12),6)':eval=frame"),
      ],
      '-filter_complex',
      '[0:v]scale=352:288,fps=25[a];[1:v]scale=352:288:out_range=tv,fps=25[b];[a][b]hstack[v];' +
        '[2:a]pan=stereo|c0=c0|c1=0.6*c0[l];[3:a]pan=stereo|c0=0.6*c0|c1=c0[r];[l][r]amix=normalize=0[s]',
      ...['-map', '[v]', '-map', '[s]', ...forSeconds(14), ...h264, ...aac],
    ],
  },
  'street-interview.webm': {
    ffmpeg: [
      ...[...repeatedRecording('bikes.mp4'), ...speech('kal'), ...lavfi('anoisesrc=c=pink:a=0.02:r=48000:seed=3')],
      ...['-filter_complex', '[1:a][2:a]amix=normalize=0[s]', '-map', '0:v', '-map', '[s]', ...forSeconds(10)],
      ...['-c:v', 'libvpx', '-b:v', '800k', '-cpu-used', '8', '-c:a', 'libvorbis', ...stereo],
    ],
  },
  'cartoon.mp4': {
    ffmpeg: [...['-i', recordingPath('bigbuckbunny.mp4')], '-vf', 'scale=640:360', ...h264, ...aac, ...stereo],
  },
  'cartoon-credits.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('bigbuckbunny.mp4'), ...music(0.7), '-filter_complex'],
      `[0:v]trim=0:5,scale=640:360,fps=25,setsar=1[a];color=black:s=640x360:r=25,trim=0:9,setsar=1,${[
        'Written by A. Baker',
        'Drawn by C. Dyer',
        'Music by E. Fuller',
        'Thank you for watching',
      ]
        .map((text, i) => drawText(text, { size: 26, y: `h-45*t+${i * 60}` }))
        .join(',')}[b];[a][b]concat[v]`,
      ...['-map', '[v]', '-map', '1:a', '-af', 'afade=t=out:st=11:d=3', ...forSeconds(14), ...h264, ...aac],
    ],
  },
  'cartoon-drawn.mp4': {
    ffmpeg: [
      ...[
        ...repeatedRecording('pigs.gif'),
        ...music(0.8),
        ...mapVideoAndAudio,
        '-vf',
        'fps=25,scale=314:272,pad=480:272:(ow-iw)/2:0:white',
      ],
      ...[...forSeconds(9), ...h264, ...aac],
    ],
  },
  'game.mp4': {
    ffmpeg: [
      ...lavfi('life=s=160x90:r=30:ratio=0.1:seed=5:mold=20:life_color=0x60c060:death_color=0x305030'),
      ...[...music(0.6), ...mapVideoAndAudio, '-vf'],
      [
        'scale=640:360:flags=neighbor',
        drawText('@', { size: 60, x: 'mod(t*90,600)', y: '160+80*sin(2*t)', color: '0xe0c040' }),
        drawText('SCORE 1200', { size: 22, x: '10', y: '10' }),
      ].join(','),
      ...[...forSeconds(10), ...h264, ...aac],
    ],
  },
  'game-explosions.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('bikes.mp4'), ...music(0.9), ...mapVideoAndAudio, '-vf'],
      "scale=640:272,drawbox=x=420:y=60:w=90:h=70:c=0xffe080@0.9:t=fill:enable='lt(mod(t,1.5),0.12)'",
      ...[...forSeconds(9), ...h264, ...aac],
    ],
  },
  'dusk.mp4': {
    ffmpeg: [
      ...[
        '-loop',
        '1',
        '-framerate',
        '25',
        '-i',
        recordingPath('rocket.jpg'),
        ...lavfi('anoisesrc=c=brown:a=0.03:r=48000:seed=4'),
      ],
      ...[...mapVideoAndAudio, '-vf'],
      "scale=960:-2,crop=640:360:x='100+60*sin(t/2)':y=120,eq=brightness=-0.12,noise=alls=4:allf=t:all_seed=9",
      ...[...forSeconds(10), ...h264, ...aac, ...stereo],
    ],
  },
  'logo-opening.mp4': {
    ffmpeg: [
      ...[
        ...lavfi('color=black:s=640x360:r=25'),
        ...music(0.7, 'afade=t=in:d=1,afade=t=out:st=6:d=2'),
        ...mapVideoAndAudio,
        '-vf',
      ],
      `drawbox=x=200:y=120:w=240:h=120:c=0x2060c0:t=fill,${drawText('WORKSHOP', { size: 40 })},fade=in:st=1:d=1,fade=out:st=6:d=1`,
      ...[...forSeconds(8), ...h264, ...aac],
    ],
  },
  'broadcast-fields.mpg': {
    ffmpeg: [
      ...[...pannedPhoto, ...speech('slt', 'volume=0.5'), ...mapVideoAndAudio],
      ...['-vf', `${toFields},setfield=tff,setsar=16/15`, ...forSeconds(8)],
      ...['-c:v', 'mpeg2video', '-b:v', '6M', '-flags', '+ildct+ilme', '-top', '1', '-c:a', 'mp2', ...stereo],
    ],
  },
  'film-letterbox.mp4': {
    ffmpeg: [
      ...[
        ...repeatedRecording('bikes.mp4'),
        ...music(0.5),
        ...mapVideoAndAudio,
        '-vf',
        'scale=640:272,pad=640:360:0:44:black,fade=in:d=1',
      ],
      ...[...forSeconds(9), ...h264, ...aac],
    ],
  },
  'vertical-social.mp4': {
    ffmpeg: [
      ...[...repeatedRecording('mdn-elf.mp4'), ...music(1.6, 'alimiter=limit=0.95:level=0'), '-filter_complex'],
      '[0:v]fps=30,split[a][b];[a]scale=360:640,boxblur=12[c];[b]scale=360:-2[d];[c][d]overlay=0:(H-h)/2,setsar=1[v]',
      ...['-map', '[v]', '-map', '1:a', ...forSeconds(7), ...h264, ...aac],
    ],
  },
  'jump-cuts.mp4': {
    ffmpeg: [
      ...['bikes.mp4', 'mdn-crystal.mp4', 'bigbuckbunny.mp4', 'mdn-elf.mp4', 'chaplin.mp4'].flatMap((name) => [
        '-i',
        recordingPath(name),
      ]),
      ...[...speech('awb'), '-filter_complex'],
      `${[0, 1, 2, 3, 4].map((i) => `[${i}:v]trim=1:2.4,setpts=PTS-STARTPTS,fps=25,scale=640:360,setsar=1,format=yuv420p[v${i}]`).join(';')};[v0][v1][v2][v3][v4]concat=n=5[v]`,
      ...['-map', '[v]', '-map', '5:a', ...forSeconds(7), ...h264, ...aac, ...stereo],
    ],
  },
  'webcam-low-light.webm': {
    ffmpeg: [
      ...[...repeatedRecording('intel-asl-book.mkv'), ...speech('slt', 'volume=0.2'), ...mapVideoAndAudio],
      ...['-vf', 'fps=15,scale=480:360:out_range=tv,eq=brightness=-0.2:contrast=0.7,noise=alls=12:allf=t:all_seed=2'],
      ...[...forSeconds(8), '-c:v', 'libvpx', '-b:v', '600k', '-cpu-used', '8', '-c:a', 'libopus', '-ac', '1'],
    ],
  },
  'traffic-time-lapse.mp4': {
    ffmpeg: [
      ...['-i', recordingPath('intel-car-detection.mp4')],
      '-an',
      '-vf',
      'setpts=PTS/3,fps=25,scale=640:360',
      ...h264,
    ],
  },
};
