import { join, resolve } from 'node:path';

/** Where the labelled files are that are not part of the repository; see `ASSAY_CORPORA` in CONTRIBUTING.md. */
const corporaFolder = resolve(
  process.env.ASSAY_CORPORA ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'corpora'),
);

export function corpusFolder(name: string): string {
  return join(corporaFolder, name);
}

/** The note of a test that is skipped for want of a corpus: the gate reports it and does not fail. */
export const missingCorpusNote = 'missing corpus';

export function describeMissingCorpus(name: string): string {
  return `${missingCorpusNote} ${name}: ${corpusFolder(name)} does not exist; set ASSAY_CORPORA to the folder that holds it`;
}
