import { join, resolve } from 'node:path';
import { root } from '../run/root.ts';

/** The folder of labelled media files outside the repository; see `ASSAY_CORPORA` in CONTRIBUTING.md. */
export const corporaFolder = resolve(process.env.ASSAY_CORPORA ?? join(root, '..', 'shared', 'corpora'));

export function corpusFolder(name: string): string {
  return join(corporaFolder, name);
}

/** The start of the note on a test that is skipped because a corpus is missing. The gate reports such notes. */
export const missingCorpusNote = 'missing corpus';

export function describeMissingCorpus(name: string): string {
  return `${missingCorpusNote} ${name}: ${corpusFolder(name)} does not exist; set ASSAY_CORPORA to the folder that contains it`;
}
