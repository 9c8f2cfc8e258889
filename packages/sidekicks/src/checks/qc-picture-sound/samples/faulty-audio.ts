import { clip, type ExpectedFinding, fillFrame, frameTimeMs, muteDuring, type Recipe, tones } from './clip.ts';

const silenceFinding = (from: number, to: number): ExpectedFinding => ({
  ruleCode: 'QC-SILENCE',
  startMs: Math.round(from * 1000),
  endMs: Math.round(to * 1000),
});
const [left, right] = tones.split('|') as [string, string];
const bothChannels = (factor: string, l = left, r = right) => `(${l})*${factor}|(${r})*${factor}`;

/** Clips with silence. */
export const silentClips: Recipe[] = [
  ...['wav', 'flac', 'aiff', 'm4a', 'mp3', 'ogg'].map((extension) =>
    clip({
      name: `silence in ${extension}`,
      extension,
      videoFilter: null,
      audioExpression: bothChannels(muteDuring(2, 5.5)),
      expected: [silenceFinding(2, 5.5)],
    }),
  ),
  ...['mp4', 'mov', 'mkv', 'ts', 'avi', 'mxf'].map((extension) =>
    clip({
      name: `silence in ${extension}`,
      extension,
      audioExpression: bothChannels(muteDuring(3, 6.3)),
      expected: [silenceFinding(3, 6.3)],
    }),
  ),
  ...[8000, 22_050, 44_100, 96_000].map((sampleRate) =>
    clip({
      name: `silence at ${sampleRate} Hz`,
      extension: 'wav',
      videoFilter: null,
      sampleRate,
      audioExpression: bothChannels(muteDuring(2.5, 6)),
      expected: [silenceFinding(2.5, 6)],
    }),
  ),
  clip({
    name: 'silence at the start',
    extension: 'wav',
    videoFilter: null,
    audioExpression: bothChannels(muteDuring(0, 3.2)),
    expected: [silenceFinding(0, 3.2)],
  }),
  clip({
    name: 'silence at the end',
    extension: 'wav',
    videoFilter: null,
    audioExpression: bothChannels(muteDuring(4.8, 9)),
    expected: [silenceFinding(4.8, 8)],
  }),
  clip({
    name: 'silence throughout',
    extension: 'wav',
    videoFilter: null,
    audioExpression: '0|0',
    expected: [silenceFinding(0, 8)],
  }),
  clip({ name: 'silence throughout a video', audioExpression: '0|0', expected: [silenceFinding(0, 8)] }),
  clip({
    name: 'noise at −70 dB counts as silence',
    extension: 'wav',
    videoFilter: null,
    audioExpression: bothChannels(`(${muteDuring(2, 6)}+0.002)`),
    expected: [silenceFinding(2, 6)],
  }),
  clip({
    name: 'silence in mono',
    extension: 'flac',
    videoFilter: null,
    audioExpression: `(${left})*${muteDuring(1, 5)}`,
    expected: [silenceFinding(1, 5)],
  }),
  clip({
    name: 'silence and black together',
    videoFilter: fillFrame('black', 2, 6),
    audioExpression: bothChannels(muteDuring(2, 6)),
    expected: [{ ruleCode: 'QC-BLACK', startMs: frameTimeMs(2), endMs: frameTimeMs(6) }, silenceFinding(2, 6)],
  }),
];

const clippedTone = (factor: string) => `clip(3*(${factor})*sin(440*2*PI*t),-1,1)`;
const clippingFinding = (from: number, to: number): ExpectedFinding => ({
  ruleCode: 'QC-CLIPPING',
  startMs: from * 1000,
  endMs: to * 1000,
});
const loudDuring = (from: number, to: number) => `(0.1+0.9*gte(t,${from})*lt(t,${to}))`;

/** Clips with clipping at full scale. */
export const clippedClips: Recipe[] = [
  ...['wav', 'flac', 'aiff', 'mov', 'mkv', 'avi', 'mp4'].map((extension) =>
    clip({
      name: `clipped in ${extension}`,
      extension,
      ...(['wav', 'flac', 'aiff'].includes(extension) && { videoFilter: null }),
      audioExpression: `${clippedTone(loudDuring(3, 4))}|${right}`,
      expected: [clippingFinding(3, 4)],
    }),
  ),
  clip({
    name: 'clipped in mono',
    extension: 'wav',
    videoFilter: null,
    audioExpression: clippedTone(loudDuring(1, 2)),
    expected: [clippingFinding(1, 2)],
  }),
  clip({
    name: 'clipped in 24 bits',
    extension: 'wav',
    videoFilter: null,
    audio: ['-c:a', 'pcm_s24le'],
    audioExpression: `${left}|${clippedTone(loudDuring(5, 6))}`,
    expected: [clippingFinding(5, 6)],
  }),
];

/** Clips with faulty stereo or a silent channel. */
export const stereoClips: Recipe[] = [
  ...['wav', 'flac', 'm4a', 'mp4', 'mov', 'mkv'].map((extension) =>
    clip({
      name: `identical channels in ${extension}`,
      extension,
      ...(['wav', 'flac', 'm4a'].includes(extension) && { videoFilter: null }),
      audioExpression: `${left}|${left}`,
      expected: [{ ruleCode: 'QC-DUAL-MONO' }],
    }),
  ),
  ...['wav', 'flac', 'm4a', 'mp4', 'mov', 'mkv'].map((extension) =>
    clip({
      name: `one channel inverted in ${extension}`,
      extension,
      ...(['wav', 'flac', 'm4a'].includes(extension) && { videoFilter: null }),
      audioExpression: `${left}|-(${left})`,
      expected: [{ ruleCode: 'QC-PHASE' }],
    }),
  ),
  clip({
    name: 'one channel inverted for three seconds',
    extension: 'wav',
    videoFilter: null,
    audioExpression: `${left}|if(gte(t,2)*lt(t,5),-(${left}),${right})`,
    expected: [{ ruleCode: 'QC-PHASE', startMs: 2000, endMs: 5000 }],
    toleranceMs: 100,
  }),
  ...['wav', 'mp4', 'mkv'].map((extension) =>
    clip({
      name: `silent right channel in ${extension}`,
      extension,
      ...(extension === 'wav' && { videoFilter: null }),
      audioExpression: `${left}|0`,
      expected: [{ ruleCode: 'QC-SILENT-CHANNEL' }],
    }),
  ),
  clip({
    name: 'silent left channel',
    extension: 'mov',
    audioExpression: `0|${right}`,
    expected: [{ ruleCode: 'QC-SILENT-CHANNEL' }],
  }),
  clip({
    name: 'silent centre channel of 5.1',
    extension: 'wav',
    videoFilter: null,
    layout: '5.1',
    audioExpression: `${left}|${right}|0|0|0.05*sin(300*t)|0.05*sin(370*t)`,
    expected: [{ ruleCode: 'QC-SILENT-CHANNEL' }],
  }),
  clip({
    name: 'silent surround channels of 5.1',
    extension: 'mkv',
    layout: '5.1',
    audioExpression: `${left}|${right}|0.1*sin(2000*t)|0|0|0`,
    expected: [{ ruleCode: 'QC-SILENT-CHANNEL' }, { ruleCode: 'QC-SILENT-CHANNEL' }],
  }),
];
