import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describePlaces } from '@assay/contract/place-words.ts';
import { corpusFolder } from '@assay/testing/media/corpora.ts';
import { createRandom } from '@assay/testing/run/random.ts';
import type { MadeClip } from './made-clip.ts';

type Box = { x: number; y: number; width: number; height: number };
/** Real footage with a flash laid over it. */
type Overlaid = {
  source: string;
  /** Seconds into the source. */
  from: number;
  boxes: Box[];
  colour: string;
  opacity: number;
  /** In frames: how long the flash is on and off. */
  on: number;
  off: number;
  isRotated?: true;
  coding?: string[];
};

const seed = 4226;
const random = createRandom(seed);
/** A number from `least` to `most`, with two decimals. */
const within = (least: number, most: number) => random.between(Math.round(100 * least), Math.round(100 * most)) / 100;
const whole: Box = { x: 0, y: 0, width: 1, height: 1 };

export const overlaidClips: readonly Overlaid[] = [
  { source: 'bigbuckbunny.mp4', from: 1, boxes: [whole], colour: 'white', opacity: 0.75, on: 3, off: 3 },
  {
    source: 'bikes.mp4',
    from: 2,
    boxes: [{ x: 0, y: 0, width: within(0.25, 0.35), height: within(0.3, 0.4) }],
    ...{ colour: 'white', opacity: 0.9, on: 2, off: 2 },
  },
  {
    source: 'mdn-crystal.mp4',
    from: 2,
    boxes: [{ x: within(0.3, 0.35), y: within(0.3, 0.35), width: 0.33, height: 0.33 }],
    ...{ colour: 'black', opacity: 1, on: 3, off: 3 },
  },
  {
    source: 'chaplin.mp4',
    from: 3,
    boxes: [{ x: 0, y: within(0.78, 0.86), width: 1, height: 0.1 }],
    ...{ colour: 'white', opacity: 1, on: 3, off: 3 },
  },
  { source: 'mdn-elf.mp4', from: 2, boxes: [whole], colour: '0xff0000', opacity: 0.95, on: 4, off: 4 },
  {
    source: 'moviepy-example.mp4',
    from: 4,
    boxes: [{ x: within(0.6, 0.65), y: within(0.1, 0.15), width: 0.3, height: 0.35 }],
    ...{ colour: '0xe00000', opacity: 1, on: 3, off: 3 },
  },
  {
    source: 'mdn-rabbit.mp4',
    from: 2,
    boxes: [{ x: 0.05, y: within(0.3, 0.4), width: 0.5, height: 0.4 }],
    ...{ colour: 'white', opacity: 0.6, on: 1, off: 1 },
  },
  {
    source: 'intel-bottle.mp4',
    from: 5,
    boxes: [
      { x: 0.02, y: within(0.1, 0.3), width: 0.25, height: 0.4 },
      { x: 0.73, y: within(0.3, 0.5), width: 0.25, height: 0.4 },
    ],
    ...{ colour: 'yellow', opacity: 0.9, on: 3, off: 3 },
  },
  {
    source: 'bigbuckbunny.mp4',
    from: 3,
    boxes: [{ x: within(0.66, 0.7), y: 0, width: 0.3, height: 1 }],
    ...{ colour: '0x3060ff', opacity: 0.9, on: 2, off: 3 },
    isRotated: true,
  },
  {
    source: 'mdn-crystal.mp4',
    from: 6,
    boxes: [{ x: within(0.6, 0.65), y: within(0.6, 0.65), width: 0.35, height: 0.35 }],
    ...{ colour: 'white', opacity: 1, on: 2, off: 4 },
    coding: ['-aspect', '16:9'],
  },
];

/** Encodes the clip as usual, so that the flash has the artefacts of compression. */
export async function makeOverlaidClip(clip: Overlaid, path: string): Promise<MadeClip> {
  const { source, from, boxes, colour, opacity, on, off, isRotated, coding = [] } = clip;
  const isOn = `lt(mod(n\\,${on + off})\\,${on})*gte(t\\,0.6)*lt(t\\,2.4)`;
  const drawn = boxes.map(
    ({ x, y, width, height }) =>
      `drawbox=x=iw*${x}:y=ih*${y}:w=iw*${width}:h=ih*${height}:c=${colour}@${opacity}:t=fill:enable='${isOn}'`,
  );
  const run = promisify(execFile);
  const encoded = isRotated ? `${path}.mp4` : path;
  await run('ffmpeg', [
    ...['-v', 'error', '-y', '-ss', `${from}`, '-i', join(corpusFolder('real'), source), '-t', '3', '-an', '-sn'],
    ...['-vf', `settb=AVTB,setpts=PTS-STARTPTS,${drawn.join(',')}`],
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '18', '-pix_fmt', 'yuv420p', ...coding, encoded],
  ]);
  if (isRotated) {
    await run('ffmpeg', ['-v', 'error', '-y', '-i', encoded, '-c', 'copy', '-metadata:s:v', 'rotate=90', path]);
  }
  // What was on the right is then shown at the top.
  const shown = isRotated
    ? boxes.map(({ x, y, width, height }) => ({ x: y, y: 1 - x - width, width: height, height: width }))
    : boxes;
  const colours = `${colour} with an opacity of ${opacity}, on for ${on} and off for ${off} frames, from 0.6 to 2.4 s`;
  return {
    name: `${source} from ${from} s`,
    path,
    what: `laid over real footage${isRotated ? ', rotated' : ''}${coding.includes('-aspect') ? ', anamorphic' : ''}`,
    areas: [{ where: describePlaces(shown), boxes: shown, colours }],
  };
}
