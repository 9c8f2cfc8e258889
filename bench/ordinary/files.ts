import { existsSync } from 'node:fs';
import { corpusFolder, describeMissingCorpus } from '@assay/testing/media/corpora.ts';
import { cleanOthers } from './clean-others.ts';
import { cleanVideos } from './clean-videos.ts';
import { faultyMedia } from './faulty-media.ts';
import { faultyOthers } from './faulty-others.ts';
import { makeFile } from './make-file.ts';
import { takeFromPackage } from './packages.ts';
import { isFromRecordings, type Recipe, recordingPath } from './recipe.ts';
import type { Verdict } from './verdict.ts';
import { verdictsOfFaulty } from './verdicts-faulty.ts';
import { verdictsOfClean } from './verdicts-made.ts';
import { debianPackages, verdictsOfPackages } from './verdicts-packages.ts';
import { verdictsOfRecorded } from './verdicts-recorded.ts';

/** A file with its verdict. `prepare` returns its path, or why it is not available. */
export type OrdinaryFile = { verdict: Verdict; origin: string; prepare(folder: string): Promise<string | Skipped> };
type Skipped = { because: string };

const hasRecordings = existsSync(corpusFolder('real'));
const missing: Skipped = { because: describeMissingCorpus('real') };

const recipes = new Map<string, Recipe>(
  Object.entries({ ...cleanVideos, ...cleanOthers, ...faultyMedia, ...faultyOthers }),
);

const recordedFiles: OrdinaryFile[] = verdictsOfRecorded.map((verdict) => ({
  verdict,
  origin: 'recorded',
  prepare: async () => (hasRecordings ? recordingPath(verdict.file) : missing),
}));

const generatedFiles: OrdinaryFile[] = [...verdictsOfClean, ...verdictsOfFaulty].map((verdict) => {
  const recipe = recipes.get(verdict.file);
  if (!recipe) throw new Error(`no recipe for ${verdict.file}`);
  return {
    verdict,
    origin: 'made',
    prepare: async (folder) =>
      isFromRecordings(recipe) && !hasRecordings ? missing : makeFile(folder, verdict.file, recipe),
  };
});

const packageFiles: OrdinaryFile[] = verdictsOfPackages.map((verdict) => {
  const [name, files] = Object.entries(debianPackages).find(([, list]) => list.includes(verdict.file)) ?? [];
  if (!name || !files) throw new Error(`no package for ${verdict.file}`);
  return {
    verdict,
    origin: name,
    prepare: async () => {
      try {
        return (await takeFromPackage(name, files)).get(verdict.file) as string;
      } catch (cause) {
        return { because: `the package ${name} could not be had: ${(cause as Error).message.split('\n')[0]}` };
      }
    },
  };
});

/** The names of all recipes; every one must have a verdict. */
export const recipeNames: readonly string[] = [...recipes.keys()];

export const ordinaryFiles: readonly OrdinaryFile[] = [...recordedFiles, ...packageFiles, ...generatedFiles];

/** Small files of every category, clean and faulty, that need no download. */
export const shortList: readonly string[] = [
  ...['slides-with-voice.mp4', 'logo-opening.mp4', 'talk.pptx', 'music-loud-master.flac'],
  ...['audiobook.mp3', 'report.pdf', 'captions.vtt'],
  ...['black-throughout.mp4', 'stripes.mp4', 'clipped-interview.wav', 'broken-off.flac', 'phase-inverted.wav'],
  ...['left-channel-missing.wav', 'script.pdf', 'macro.docx', 'captions-garbled.srt'],
];
