import { animationFiles } from './files/animations.ts';
import { archiveBombs } from './files/archive-bombs.ts';
import { archiveStructure } from './files/archive-structure.ts';
import { atomFiles } from './files/atoms.ts';
import { audioFiles } from './files/audio.ts';
import { captionFiles } from './files/captions.ts';
import { mislabelledFiles } from './files/confused.ts';
import { bitFlippedFiles, sectionDamagedFiles, truncatedFiles } from './files/damaged.ts';
import { embeddedExif } from './files/embedded-exif.ts';
import { endlessFiles } from './files/endless.ts';
import { fragmentFiles } from './files/fragments.ts';
import { imageBoxes } from './files/image-boxes.ts';
import { imageChunks } from './files/image-chunks.ts';
import { imageJpegs } from './files/image-jpeg.ts';
import { imageTiffs } from './files/image-tiff.ts';
import { manyStreams } from './files/many-streams.ts';
import { officeXml } from './files/office-xml.ts';
import { oversizedFiles } from './files/oversized.ts';
import { pdfStreams } from './files/pdf-streams.ts';
import { pdfSyntax } from './files/pdf-syntax.ts';
import { pdfTables } from './files/pdf-tables.ts';
import { filesWithReferences } from './files/references.ts';
import { textFiles } from './files/texts.ts';
import { filesWithFalseTimes } from './files/times.ts';
import type { Recipe } from './formats/recipe.ts';
import { unusualValidFiles } from './formats/valid.ts';

export const recipes: readonly Recipe[] = [
  ...[
    ...truncatedFiles,
    ...bitFlippedFiles,
    ...sectionDamagedFiles,
    ...mislabelledFiles,
    ...filesWithReferences,
    ...oversizedFiles,
  ],
  ...[
    ...manyStreams,
    ...atomFiles,
    ...endlessFiles,
    ...filesWithFalseTimes,
    ...audioFiles,
    ...animationFiles,
    ...fragmentFiles,
    ...unusualValidFiles,
  ],
  ...[...archiveBombs, ...archiveStructure, ...embeddedExif, ...officeXml, ...pdfSyntax, ...pdfStreams, ...pdfTables],
  ...[...captionFiles, ...textFiles, ...imageChunks, ...imageTiffs, ...imageJpegs, ...imageBoxes],
];

export const kindOf = ({ name }: Recipe) => name.split('/')[0] as string;

/** Returns this many recipes of every kind, spread evenly, and all regressions. */
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
