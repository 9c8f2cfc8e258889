import type { Random } from '@assay/testing/run/random.ts';

/** What can be seen and heard in a clip, and the rules that it must violate however it is stored. */
export type Content = {
  kind: ContentKind;
  rate: number;
  seconds: number;
  /** Filters of ffmpeg that draw the frames, without a label at the end. */
  video: string;
  /** The same for two channels of audio. */
  audio: string;
  /** The text of a SubRip file, or null if the clip has no captions. */
  captions: string | null;
  rules: readonly string[];
  /** A limit that lossy compression would shift. */
  needsLossless: boolean;
};

type Faults = Partial<Pick<Content, 'seconds' | 'captions' | 'rules' | 'needsLossless'>> & {
  /** Filters of frames in R'G'B', and of frames in Y'CbCr. */
  rgb?: string[];
  yuv?: string;
  audio?: string;
};
type Maker = (random: Random, rate: number) => Faults;

/** Frames are drawn so that each region fits the grids of all sizes in which they are stored. */
export const frameSize = { width: 320, height: 192 };
const sampleRate = 48_000;
const gridPixels = 32;
const rates = [24, 25, 30, 50];
/** In seconds. At 5 s of audio, captions begin to be expected: lossy audio may be a little longer. */
const lengths = [6, 7];

const kinds = {
  clean: () => ({}),
  flashes: (random, rate) => ({ rgb: [flash(random, rate, 'white', random.between(5, 9))], rules: ['PSE-LUMINANCE'] }),
  'red flashes': (random, rate) => ({
    rgb: [flash(random, rate, random.pick(['0xff0000', '0xf00000']), random.between(5, 9), '0x505050')],
    rules: ['PSE-RED'],
  }),
  'flashes just below the limit': (_, rate) => ({
    rgb: [`${box('white', wholeFrame)}:enable='between(mod(n,${rate + 3}),1,${3 * steps(rate)})*${isLit(rate)}'`],
    needsLossless: true,
  }),
  'flashes over too small an area': (random, rate) => ({
    rgb: [flash(random, rate, 'white', random.between(5, 9), null, { columns: [1, 2], rows: [2, 2.5] })],
  }),
  black: (random, rate) => ({
    rgb: [`${box('black', wholeFrame)}:${between(random, rate, random.pick([2.4, 2.7, 3.4]))}`],
    rules: ['QC-BLACK'],
  }),
  freeze: (random, rate) => freeze(random, rate),
  levels: (random) => ({
    yuv: `drawbox=x=${gridPixels * random.between(0, 3)}:y=${gridPixels}:w=${gridPixels * random.between(3, 6)}:h=${gridPixels * 2}:color=white:t=fill,lutyuv=y='if(gte(val,235),${random.between(250, 253)},val)'`,
    rules: ['QC-LEVELS'],
  }),
  'loud audio': (random) => ({ audio: `volume=${random.between(14, 16)}dB`, rules: ['LOUD-INTEGRATED-HIGH'] }),
  'quiet audio': (random) => ({ audio: `volume=-${random.between(12, 20)}dB`, rules: ['LOUD-INTEGRATED-LOW'] }),
  silence: (random, rate) => ({
    seconds: 6,
    audio: `volume=0:${between(random, rate, random.pick([3.3, 3.8]), 't', 1)}`,
    rules: ['QC-SILENCE'],
  }),
  clipping: (random) => ({ audio: `volume=${random.between(22, 26)}dB`, rules: ['QC-CLIPPING'], needsLossless: true }),
  'opposite phase': () => ({ audio: 'pan=stereo|c0=c0|c1=-1*c0', rules: ['QC-PHASE'] }),
  'dual mono': () => ({ audio: 'pan=stereo|c0=c0|c1=c0', rules: ['QC-DUAL-MONO'] }),
  'silent channel': () => ({ audio: 'pan=stereo|c0=c0|c1=0*c1', rules: ['QC-SILENT-CHANNEL'] }),
  captions: (random) => ({ captions: fastCaptions(random), rules: ['CAPT-TOO-FAST'] }),
} satisfies Record<string, Maker>;

export type ContentKind = keyof typeof kinds;
export const contentKinds = Object.keys(kinds) as ContentKind[];

/** Draws the details of a clip of this kind, the same for the same random numbers. */
export function createContent(
  kind: ContentKind,
  random: Random,
  usual = { rate: random.pick(rates), seconds: random.pick(lengths) },
): Content {
  const { rate } = usual;
  const faults: Faults = (kinds[kind] as Maker)(random, rate);
  const {
    seconds = usual.seconds,
    captions = null,
    rules = [],
    needsLossless = false,
    rgb = [],
    yuv = 'null',
  } = faults;
  const video = [...movingFrames(random, rate, seconds), ...rgb, toVideo, yuv].join(',');
  const audio = `${music(random, seconds)},${faults.audio ?? 'anull'}`;
  return { kind, rate, seconds, video, audio, captions, rules, needsLossless };
}

const toVideo = 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p';

/** A box that moves over a gradient that turns: no part of a frame stays the same for long. */
function movingFrames(random: Random, rate: number, seconds: number): string[] {
  const size = `${frameSize.width}x${frameSize.height}`;
  const colour = () => `0x${[0, 0, 0].map(() => random.between(0x40, 0x90).toString(16)).join('')}`;
  const colours = `c0=${colour()}:c1=${colour()}:c2=${colour()}:n=3:x0=20:y0=10:x1=300:y1=170`;
  const seed = random.between(1, 1000);
  return [
    `gradients=s=${size}:r=${rate}:d=${seconds}:${colours}:speed=0.03:seed=${seed},format=gbrp[gradient]; color=${colour()}:s=64x64:r=${rate}:d=${seconds},format=gbrp[box]; [gradient][box]overlay=x='mod(4*n,256)':y=64:format=gbrp`,
  ];
}

/** Two chords whose levels rise and fall, which differ between the channels. */
function music(random: Random, seconds: number): string {
  const voice = () =>
    `${random.pick([0.05, 0.06])}*sin(2*PI*${random.between(180, 900)}*t)*(0.7+0.3*sin(2*PI*${random.between(5, 20) / 10}*t))`;
  const channel = () => [voice(), voice()].join('+');
  return `aevalsrc=exprs='${channel()}|${channel()}':s=${sampleRate}:d=${seconds}:c=stereo:nb_samples=960`;
}

const wholeFrame = { columns: [0, 10], rows: [0, 6] } as const;
type Cells = { columns: readonly [number, number]; rows: readonly [number, number] };

function box(colour: string, { columns, rows }: Cells): string {
  const [x, y] = [columns[0] * gridPixels, rows[0] * gridPixels];
  const [w, h] = [columns[1] * gridPixels - x, rows[1] * gridPixels - y];
  return `drawbox=x=${x}:y=${y}:w=${w}:h=${h}:color=${colour}:t=fill`;
}

/** A box that is shown `hertz` times a second, over the frame or over a colour. */
function flash(
  random: Random,
  rate: number,
  colour: string,
  hertz: number,
  other: string | null = null,
  cells: Cells = { columns: [random.between(0, 2), random.between(7, 10)], rows: [0, random.between(4, 6)] },
): string {
  const period = Math.max(2, 2 * Math.floor(rate / hertz / 2));
  const first = random.between(5, rate);
  const lit = `enable='between(n,${first},${first + 2 * rate})*lt(mod(n-${first},${period}),${period / 2})'`;
  return [...(other ? [box(other, cells)] : []), `${box(colour, cells)}:${lit}`].join(',');
}

/** Three flashes in a second and a little more, which is the most that is allowed. */
const steps = (rate: number) => Math.floor(rate / 4);
const isLit = (rate: number) => `lt(mod(mod(n,${rate + 3})-1,${steps(rate)}),${Math.floor(steps(rate) / 2)})`;

/** Enables a filter for a time that does not touch the start or the end of the clip. */
function between(random: Random, rate: number, seconds: number, variable = 'n', margin = 0): string {
  const first = random.between(Math.ceil(0.7 * rate), rate);
  const [from, to] = [first, first + Math.round(seconds * rate) - 1].map((n) => (variable === 't' ? n / rate : n));
  return `enable='between(${variable},${from},${(to as number) + (margin ? 1 / rate : 0)})'`;
}

function freeze(random: Random, rate: number): Faults {
  const [first, count] = [random.between(rate, 2 * rate), Math.round(random.pick([5.3, 5.6]) * rate)];
  const seconds = 8;
  const held = `loop=loop=${count}:size=1:start=${first},trim=end_frame=${seconds * rate},setpts=round(N/${rate}/TB)`;
  return { seconds, rgb: [held], rules: ['QC-FREEZE'] };
}

function fastCaptions(random: Random): string {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const text = random.shuffle(words).join(' ');
  return [1, 2, 3].map((n) => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n`).join('\n');
}
