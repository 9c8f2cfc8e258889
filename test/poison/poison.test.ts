import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { liftedLimits, openTestApi, openTestWorker } from '../support/api.ts';
import { submit, untilOver } from '../support/submissions.ts';
import { isRight, serve, tracesOf } from './examine.ts';
import { openPantry } from './pantry.ts';
import type { Recipe } from './recipe.ts';
import { kindOf, recipes, sampleOf } from './recipes.ts';
import { wave } from './riff.ts';

// Every night all of them are served, by `pnpm poison`.
const perKind = 2;
const perKindAtTheDoor = 1;
const atOnce = 2;
const growthBytesMax = 200 * 1000 * 1000;

const pantry = await openPantry(); // before the service: its temporary files lie in the pantry's folder
const { client, makeWorkspace, config } = await openTestApi(liftedLimits);
await openTestWorker(config);
afterAll(() => pantry.close());

test('there are at least 300 of them, each with a name of its own', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(300);
  expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
});

describe('every sidekick looks at a hostile file', () => {
  const chosen = sampleOf(recipes, perKind);
  let firstBytes = 0;
  afterEach(() => {
    firstBytes ||= process.memoryUsage.rss(); // once it holds what a busy process holds anyway
  });

  test.each([...Map.groupBy(chosen, kindOf)])('%s: it ends as it is to, and in time', async (_, group) => {
    expect(await faultsOf(group, (recipe) => serve(recipe, pantry))).toEqual([]);
  });

  test('references: also without a cage nobody follows them', async () => {
    const group = sampleOf(recipes, perKind).filter((recipe) => kindOf(recipe) === 'references');
    expect(await faultsOf(group, (recipe) => serve(recipe, pantry, { cage: 'none' }))).toEqual([]);
  });

  test('nobody was called, no tool goes on, no file is left, and memory is flat', async () => {
    expect(await tracesOf(pantry)).toEqual([]);
    expect(process.memoryUsage.rss() - firstBytes).toBeLessThan(growthBytesMax);
  });
});

describe('through the door', () => {
  const chosen = sampleOf(recipes, perKindAtTheDoor);

  test('each is refused, complete or failed for good, and an honest file after them is complete', async () => {
    const { liveKey } = await makeWorkspace();
    const caller = client(liveKey);
    const wrong: string[] = [];
    const taken: { recipe: Recipe; blobPath: string }[] = [];
    for (const recipe of chosen) {
      const bytes = recipe.make(pantry);
      if (bytes.length > directUploadBytesMax) continue; // they are refused for that alone, as the next test says
      const { status, body } = await caller.uploadFile(recipe.filename, bytes);
      if (status === 201) taken.push({ recipe, blobPath: body.blobPath });
      else if (!isRight(recipe, `refused ${status}`)) wrong.push(`${recipe.name}: refused ${status}`);
    }
    expect(taken.length).toBeGreaterThan(chosen.length / 3);

    const created = await submit(
      caller,
      taken.map(({ blobPath }) => blobPath),
    );
    await untilOver(caller, created.submissionId, 600); // against hanging: they are many
    for (const [i, { recipe }] of taken.entries()) {
      const path = `/submissions/${created.submissionId}/assets/${created.assets[i]?.assetId}`;
      const { body } = await caller.get(path);
      const verdict = body.status === 'complete' ? 'complete' : (body.errorType ?? body.status);
      if (!isRight(recipe, verdict)) wrong.push(`${recipe.name}: ${verdict}`);
    }
    expect(wrong).toEqual([]);

    const { body: honest } = await caller.uploadFile('film.mp4', pantry.seed('head-first.mp4'));
    const after = await submit(caller, [honest.blobPath]);
    expect(await untilOver(caller, after.submissionId)).toMatchObject({ status: 'complete' });
    expect(await tracesOf(pantry)).toEqual([]);
  }, 900_000);

  test('413: one that is larger than is taken in one piece', async () => {
    const { liveKey } = await makeWorkspace();
    const { status } = await client(liveKey).uploadFile('tone.wav', wave({}, Buffer.alloc(directUploadBytesMax)));
    expect(status).toBe(413);
  });
});

/** A few at once, as a worker has them. */
async function faultsOf(
  group: readonly Recipe[],
  look: (recipe: Recipe) => Promise<{ faults: string[] }>,
): Promise<string[]> {
  const waiting = [...group];
  const wrong: string[] = [];
  const work = async () => {
    for (let recipe = waiting.shift(); recipe; recipe = waiting.shift()) {
      const { faults } = await look(recipe);
      wrong.push(...faults.map((fault) => `${recipe?.name}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return wrong;
}
