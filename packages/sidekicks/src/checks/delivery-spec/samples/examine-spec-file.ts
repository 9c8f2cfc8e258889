import { open, readFile } from 'node:fs/promises';
import { declaredAs } from '@assay/testing/media/declared-as.ts';
import { madeByFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { runSidekicks } from '#run/run.ts';
import { extendProfile } from '#sidekick/profile.ts';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { sidekick } from '../sidekick.ts';
import type { Recipe } from './recipe.ts';

/** Makes the file, or takes it from the cache. */
export async function makeSpecFile({ extension, args, copyArgs }: Recipe): Promise<string> {
  const made = await madeByFfmpeg(`.${extension}`, args);
  if (!copyArgs) return made;
  const input = `from.${extension}`;
  return madeByFfmpeg(`.${extension}`, ['-i', input, ...copyArgs], { [input]: await readFile(made) });
}

/** Runs the check on the file under a profile with the expectations of the recipe. */
export async function examineSpecFile(recipe: Recipe): Promise<FindingWithRule[]> {
  const file = await open(await makeSpecFile(recipe));
  try {
    const { size: sizeBytes } = await file.stat();
    const read = async (target: Uint8Array, offset: number) =>
      (await file.read(target, 0, target.length, offset)).bytesRead;
    const source = { bytes: { sizeBytes, read }, fd: file.fd, signal: new AbortController().signal };
    const profile = extendProfile(builtInProfile('general'), { limits: { deliverySpec: recipe.spec } });
    const declared = { ...declaredAs(`a.${recipe.extension}`), profile };
    return (await runSidekicks([sidekick], { ...source, jail: 'bubblewrap' }, declared)).findings;
  } finally {
    await file.close();
  }
}
