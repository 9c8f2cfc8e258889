import { film, gate, paint, type Recipe, shownAt, type Truth, tones } from './film.ts';

const silence = (from: number, to: number): Truth => ({
  ruleCode: 'QC-SILENCE',
  startMs: Math.round(from * 1000),
  endMs: Math.round(to * 1000),
});
const [left, right] = tones.split('|') as [string, string];
const both = (factor: string, l = left, r = right) => `(${l})*${factor}|(${r})*${factor}`;

/** No sound where there should be some. */
export const silentFilms: Recipe[] = [
  ...['wav', 'flac', 'aiff', 'm4a', 'mp3', 'ogg'].map((extension) =>
    film({
      name: `silence in ${extension}`,
      extension,
      picture: null,
      sound: both(gate(2, 5.5)),
      truth: [silence(2, 5.5)],
    }),
  ),
  ...['mp4', 'mov', 'mkv', 'ts', 'avi', 'mxf'].map((extension) =>
    film({ name: `silence in ${extension}`, extension, sound: both(gate(3, 6.3)), truth: [silence(3, 6.3)] }),
  ),
  ...[8000, 22_050, 44_100, 96_000].map((sampleRate) =>
    film({
      name: `silence at ${sampleRate} Hz`,
      extension: 'wav',
      picture: null,
      sampleRate,
      sound: both(gate(2.5, 6)),
      truth: [silence(2.5, 6)],
    }),
  ),
  film({
    name: 'silence at the start',
    extension: 'wav',
    picture: null,
    sound: both(gate(0, 3.2)),
    truth: [silence(0, 3.2)],
  }),
  film({
    name: 'silence at the end',
    extension: 'wav',
    picture: null,
    sound: both(gate(4.8, 9)),
    truth: [silence(4.8, 8)],
  }),
  film({ name: 'silence throughout', extension: 'wav', picture: null, sound: '0|0', truth: [silence(0, 8)] }),
  film({ name: 'silence throughout of a film', sound: '0|0', truth: [silence(0, 8)] }),
  film({
    name: 'a hiss of −70 dB is silence',
    extension: 'wav',
    picture: null,
    sound: both(`(${gate(2, 6)}+0.002)`),
    truth: [silence(2, 6)],
  }),
  film({
    name: 'silence in mono',
    extension: 'flac',
    picture: null,
    sound: `(${left})*${gate(1, 5)}`,
    truth: [silence(1, 5)],
  }),
  film({
    name: 'silence and black together',
    picture: paint('black', 2, 6),
    sound: both(gate(2, 6)),
    truth: [{ ruleCode: 'QC-BLACK', startMs: shownAt(2), endMs: shownAt(6) }, silence(2, 6)],
  }),
];

const loud = (factor: string) => `clip(3*(${factor})*sin(440*2*PI*t),-1,1)`;
const clipped = (from: number, to: number): Truth => ({
  ruleCode: 'QC-CLIPPING',
  startMs: from * 1000,
  endMs: to * 1000,
});
const during = (from: number, to: number) => `(0.1+0.9*gte(t,${from})*lt(t,${to}))`;

/** Cut off at full scale. */
export const clippedFilms: Recipe[] = [
  ...['wav', 'flac', 'aiff', 'mov', 'mkv', 'avi', 'mp4'].map((extension) =>
    film({
      name: `clipped in ${extension}`,
      extension,
      ...(['wav', 'flac', 'aiff'].includes(extension) && { picture: null }),
      sound: `${loud(during(3, 4))}|${right}`,
      truth: [clipped(3, 4)],
    }),
  ),
  film({ name: 'clipped in mono', extension: 'wav', picture: null, sound: loud(during(1, 2)), truth: [clipped(1, 2)] }),
  film({
    name: 'clipped in 24 bits',
    extension: 'wav',
    picture: null,
    audio: ['-c:a', 'pcm_s24le'],
    sound: `${left}|${loud(during(5, 6))}`,
    truth: [clipped(5, 6)],
  }),
];

/** Left and right that do not go together. */
export const stereoFilms: Recipe[] = [
  ...['wav', 'flac', 'm4a', 'mp4', 'mov', 'mkv'].map((extension) =>
    film({
      name: `the same on both sides in ${extension}`,
      extension,
      ...(['wav', 'flac', 'm4a'].includes(extension) && { picture: null }),
      sound: `${left}|${left}`,
      truth: [{ ruleCode: 'QC-DUAL-MONO' }],
    }),
  ),
  ...['wav', 'flac', 'm4a', 'mp4', 'mov', 'mkv'].map((extension) =>
    film({
      name: `one side turned over in ${extension}`,
      extension,
      ...(['wav', 'flac', 'm4a'].includes(extension) && { picture: null }),
      sound: `${left}|-(${left})`,
      truth: [{ ruleCode: 'QC-PHASE' }],
    }),
  ),
  film({
    name: 'one side turned over for three seconds',
    extension: 'wav',
    picture: null,
    sound: `${left}|if(gte(t,2)*lt(t,5),-(${left}),${right})`,
    truth: [{ ruleCode: 'QC-PHASE', startMs: 2000, endMs: 5000 }],
    toleranceMs: 100,
  }),
  ...['wav', 'mp4', 'mkv'].map((extension) =>
    film({
      name: `nothing on the right in ${extension}`,
      extension,
      ...(extension === 'wav' && { picture: null }),
      sound: `${left}|0`,
      truth: [{ ruleCode: 'QC-SILENT-CHANNEL' }],
    }),
  ),
  film({
    name: 'nothing on the left',
    extension: 'mov',
    sound: `0|${right}`,
    truth: [{ ruleCode: 'QC-SILENT-CHANNEL' }],
  }),
  film({
    name: 'nothing in the centre of 5.1',
    extension: 'wav',
    picture: null,
    layout: '5.1',
    sound: `${left}|${right}|0|0|0.05*sin(300*t)|0.05*sin(370*t)`,
    truth: [{ ruleCode: 'QC-SILENT-CHANNEL' }],
  }),
  film({
    name: 'nothing behind in 5.1',
    extension: 'mkv',
    layout: '5.1',
    sound: `${left}|${right}|0.1*sin(2000*t)|0|0|0`,
    truth: [{ ruleCode: 'QC-SILENT-CHANNEL' }, { ruleCode: 'QC-SILENT-CHANNEL' }],
  }),
];
