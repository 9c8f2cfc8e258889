import { animations } from './files/animations.ts';
import { archiveBombs } from './files/archive-bombs.ts';
import { archiveStructure } from './files/archive-structure.ts';
import { atoms } from './files/atoms.ts';
import { audio } from './files/audio.ts';
import { captions } from './files/captions.ts';
import { confused } from './files/confused.ts';
import { flipped, shuffled, truncated } from './files/damaged.ts';
import { embeddedExif } from './files/embedded-exif.ts';
import { endless } from './files/endless.ts';
import { fragments } from './files/fragments.ts';
import { imageBoxes } from './files/image-boxes.ts';
import { imageChunks } from './files/image-chunks.ts';
import { imageJpegs } from './files/image-jpeg.ts';
import { imageTiffs } from './files/image-tiff.ts';
import { manyStreams } from './files/many-streams.ts';
import { officeXml } from './files/office-xml.ts';
import { oversized } from './files/oversized.ts';
import { pdfStreams } from './files/pdf-streams.ts';
import { pdfSyntax } from './files/pdf-syntax.ts';
import { pdfTables } from './files/pdf-tables.ts';
import { references } from './files/references.ts';
import { texts } from './files/texts.ts';
import { times } from './files/times.ts';
import type { Recipe } from './formats/recipe.ts';
import { valid } from './formats/valid.ts';

export const recipes: readonly Recipe[] = [
  ...[...truncated, ...flipped, ...shuffled, ...confused, ...references, ...oversized],
  ...[...manyStreams, ...atoms, ...endless, ...times, ...audio, ...animations, ...fragments, ...valid],
  ...[...archiveBombs, ...archiveStructure, ...embeddedExif, ...officeXml, ...pdfSyntax, ...pdfStreams, ...pdfTables],
  ...[...captions, ...texts, ...imageChunks, ...imageTiffs, ...imageJpegs, ...imageBoxes],
];

export const kindOf = ({ name }: Recipe) => name.split('/')[0] as string;

/** Selects this many recipes of every kind, spread evenly, and all regressions. */
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
