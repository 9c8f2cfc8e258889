import { readFile } from 'node:fs/promises';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { examineFile } from '@assay/testing/media/examine.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { extendProfile } from '#sidekick/profile.ts';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { sidekick } from '../sidekick.ts';
import type { Recipe } from './recipe.ts';

/** Makes the file, or takes it from the cache. */
export async function makeSpecFile({ extension, args, copyArgs }: Recipe): Promise<string> {
  const made = await makeWithFfmpeg(`.${extension}`, args);
  if (!copyArgs) return made;
  const input = `from.${extension}`;
  return makeWithFfmpeg(`.${extension}`, ['-i', input, ...copyArgs], { [input]: await readFile(made) });
}

/** Runs the check on the file under a profile with the expectations of the recipe. */
export async function examineSpecFile(recipe: Recipe): Promise<FindingWithRule[]> {
  const profile = extendProfile(builtInProfile('general'), { limits: { deliverySpec: recipe.spec } });
  const path = await makeSpecFile(recipe);
  return examineFile(sidekick, path, { ...declarationFor(`a.${recipe.extension}`), profile });
}
