import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FlashArea } from '@assay/sidekicks/sidekick/profile.ts';
import { corpusFolder } from '@assay/testing/media/corpora.ts';

export const corpusName = 'pse';
const folder = corpusFolder(corpusName);

export const isCorpusHere = existsSync(join(folder, 'peer-iris.csv'));

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** A part of the frame, as a mask, and its colour in each frame of the clip. */
type Layer = { mask: string; colours: Rgba[] };

export type Clip = {
  set: string;
  name: string;
  /** Whether the clip is labelled as safe, and whether EA IRIS rates it as safe. */
  isSafe: boolean;
  isSafeToIris: boolean;
  /** The area on which the labels of the clip's set are based. */
  area: FlashArea;
  frameRate: number;
  background: Rgba;
  /** The layers, from back to front. */
  layers: Layer[];
  frameCount: number;
  /** Frames at the start that repeat the first frame; not included in `frameCount`. */
  leadCount: number;
};

type Generation = {
  framerate: number;
  bgcolor: string;
  pattern: { spatial: string; temporal_color: string }[];
};

/** Whether the label is based on a quarter of the screen, the only area that some analysers support. */
export function isLabelledByScreen({ area }: Clip): boolean {
  return area === 'screen';
}

/** Reads the descriptions of all clips; they are not rendered yet. */
export function readCorpus(): Clip[] {
  const colours = new Map<string, Rgba[]>();
  const { padding } = JSON.parse(readFileSync(join(folder, 'video_config.json'), 'utf8')) as { padding: number };
  return readRows(join(folder, 'peer-iris.csv')).map(([set, name, isSafe, isSafeToIris]) => {
    const path = join(folder, 'video_creation', set as string, `${name}.json`);
    const generation = JSON.parse(readFileSync(path, 'utf8')) as Generation;
    const layers = generation.pattern.map(({ spatial, temporal_color }): Layer => {
      const table = join(dirname(path), temporal_color);
      if (!colours.has(table)) colours.set(table, readColours(table));
      return { mask: join(dirname(path), spatial), colours: colours.get(table) as Rgba[] };
    });
    return {
      set: set as string,
      name: name as string,
      isSafe: isSafe === 'TRUE',
      isSafeToIris: isSafeToIris === 'TRUE',
      area: areaOf(set as string),
      frameRate: generation.framerate,
      background: generation.bgcolor.match(/\d+/g)?.map(Number) as unknown as Rgba,
      layers,
      frameCount: Math.max(...layers.map(({ colours: { length } }) => length)),
      leadCount: padding,
    };
  });
}

function areaOf(set: string): FlashArea {
  if (set.startsWith('trace24')) return '416x416';
  return set.startsWith('wcagc') ? '341x256' : 'screen';
}

function readRows(path: string): string[][] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => line.split(','));
}

function readColours(path: string): Rgba[] {
  return readRows(path).map(([, ...channels]) => channels.map(Number) as unknown as Rgba);
}
