import { animations } from './animations.ts';
import { archiveBombs } from './archive-bombs.ts';
import { archiveStructure } from './archive-structure.ts';
import { atoms } from './atoms.ts';
import { audio } from './audio.ts';
import { captions } from './captions.ts';
import { confused } from './confused.ts';
import { flipped, shuffled, truncated } from './damaged.ts';
import { embeddedExif } from './embedded-exif.ts';
import { endless } from './endless.ts';
import { fragments } from './fragments.ts';
import { imageBoxes } from './image-boxes.ts';
import { imageChunks } from './image-chunks.ts';
import { imageJpegs } from './image-jpeg.ts';
import { imageTiffs } from './image-tiff.ts';
import { manyStreams } from './many-streams.ts';
import { officeXml } from './office-xml.ts';
import { oversized } from './oversized.ts';
import { pdfStreams } from './pdf-streams.ts';
import { pdfSyntax } from './pdf-syntax.ts';
import { pdfTables } from './pdf-tables.ts';
import type { Recipe } from './recipe.ts';
import { references } from './references.ts';
import { texts } from './texts.ts';
import { times } from './times.ts';
import { valid } from './valid.ts';

export const recipes: readonly Recipe[] = [
  ...[...truncated, ...flipped, ...shuffled, ...confused, ...references, ...oversized],
  ...[...manyStreams, ...atoms, ...endless, ...times, ...audio, ...animations, ...fragments, ...valid],
  ...[...archiveBombs, ...archiveStructure, ...embeddedExif, ...officeXml, ...pdfSyntax, ...pdfStreams, ...pdfTables],
  ...[...captions, ...texts, ...imageChunks, ...imageTiffs, ...imageJpegs, ...imageBoxes],
];

export const kindOf = ({ name }: Recipe) => name.split('/')[0] as string;

/** This many of every kind, spread evenly over its recipes, and all regressions. */
export function sampleOf(all: readonly Recipe[], perKind: number): Recipe[] {
  return [...Map.groupBy(all, kindOf).values()].flatMap((group) => {
    const others = group.filter(({ isRegression, isSlow }) => !isRegression && !isSlow);
    const step = Math.max(
      1,
      others.length / Math.max(1, perKind - group.filter(({ isRegression }) => isRegression).length),
    );
    const spread = others.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
    return [...group.filter(({ isRegression }) => isRegression), ...spread];
  });
}
