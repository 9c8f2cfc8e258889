import { directUploadBytesMax } from '@assay/contract/limits.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { examine, isExpected, openPoisonExaminers, tracesOf } from './examine.ts';
import { openFixture } from './fixture.ts';
import type { Recipe } from './formats/recipe.ts';
import { wave } from './formats/riff.ts';
import { seed } from './formats/seeded-random.ts';
import { kindOf, recipes, sampleOf } from './recipes.ts';

// The nightly run examines all hostile files with `pnpm poison`, each in its own process.
const perKind = 1;
const kindsPerOutcome = 3;
const concurrency = 2;
const growthBytesMax = 200 * 1000 * 1000;
testSeed(seed);

const fixture = await openFixture(); // before the service, so that its temporary files are in the fixture's folder
const { client, makeWorkspace, config } = await openTestApi(liftedLimits);
await openTestWorker(config);
// Processes are reused as in a worker, where files of the same workspace share one.
const examiners = openPoisonExaminers(1);
afterAll(async () => {
  await examiners.close();
  fixture.close();
});

test('there are at least 300 hostile files with unique names', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(300);
  expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
});

describe('the examination of hostile files by every sidekick', () => {
  const chosen = sampleOf(recipes, perKind);
  let firstBytes = 0;
  afterEach(() => {
    firstBytes ||= process.memoryUsage.rss(); // after the first test, when the process is warmed up
  });

  test.each([...Map.groupBy(chosen, kindOf)])(
    'ends in time with an expected outcome for files of the kind %s',
    async (_, group) => {
      expect(await faultsOf(group, (recipe) => examine(examiners, recipe, fixture))).toEqual([]);
    },
    900_000,
  );

  test('follows no references in files, even without a jail', async () => {
    const group = sampleOf(recipes, 2).filter((recipe) => kindOf(recipe) === 'references');
    expect(await faultsOf(group, (recipe) => examine(examiners, recipe, fixture, { jail: 'none' }))).toEqual([]);
  });

  test('makes no connections, leaves no tools or files behind and does not accumulate memory', async () => {
    expect(await tracesOf(fixture)).toEqual([]);
    expect(process.memoryUsage.rss() - firstBytes).toBeLessThan(growthBytesMax);
  });
});

describe('hostile files that are uploaded and submitted', () => {
  // The tests above cover the examination; these cover how each outcome reaches the caller.
  const certain = recipes.filter(
    ({ expected, isRegression, isSlow }) => expected.length === 1 && !isRegression && !isSlow,
  );
  const chosen = [...Map.groupBy(certain, ({ expected }) => expected[0]).values()].flatMap((alike) =>
    [...Map.groupBy(alike, kindOf).values()].slice(0, kindsPerOutcome).flatMap((group) => group.slice(0, 1)),
  );

  test('are each refused, completed or permanently failed, and a valid file after them completes', async () => {
    const { liveKey } = await makeWorkspace();
    const caller = client(liveKey);
    const wrong: string[] = [];
    const taken: { recipe: Recipe; blobPath: string }[] = [];
    for (const recipe of chosen) {
      const bytes = recipe.make(fixture);
      if (bytes.length > directUploadBytesMax) continue; // refused for their size, as the next test verifies
      const { status, body } = await caller.uploadFile(recipe.filename, bytes);
      if (status === 201) taken.push({ recipe, blobPath: body.blobPath });
      else if (!isExpected(recipe, `refused ${status}`)) wrong.push(`${recipe.name}: refused ${status}`);
    }
    expect(taken.length).toBeGreaterThan(chosen.length / 3);

    const created = await submit(
      caller,
      taken.map(({ blobPath }) => blobPath),
    );
    await untilFinished(caller, created.submissionId, 600); // a long time limit, because there are many files
    for (const [i, { recipe }] of taken.entries()) {
      const path = `/submissions/${created.submissionId}/assets/${created.assets[i]?.assetId}`;
      const { body } = await caller.get(path);
      const verdict = body.status === 'complete' ? 'complete' : (body.errorType ?? body.status);
      if (!isExpected(recipe, verdict)) wrong.push(`${recipe.name}: ${verdict}`);
    }
    expect(wrong).toEqual([]);

    const { body: valid } = await caller.uploadFile('video.mp4', fixture.seed('head-first.mp4'));
    const after = await submit(caller, [valid.blobPath]);
    expect(await untilFinished(caller, after.submissionId)).toMatchObject({ status: 'complete' });
    expect(await tracesOf(fixture)).toEqual([]);
  }, 900_000);

  test('413: a file exceeds the direct upload limit', async () => {
    const { liveKey } = await makeWorkspace();
    const { status } = await client(liveKey).uploadFile('tone.wav', wave({}, Buffer.alloc(directUploadBytesMax)));
    expect(status).toBe(413);
  });
});

/** Examines a few files at a time, like a worker, and returns what went wrong. */
async function faultsOf(
  group: readonly Recipe[],
  run: (recipe: Recipe) => Promise<{ faults: string[] }>,
): Promise<string[]> {
  const waiting = [...group];
  const wrong: string[] = [];
  const work = async () => {
    for (let recipe = waiting.shift(); recipe; recipe = waiting.shift()) {
      const { faults } = await run(recipe);
      wrong.push(...faults.map((fault) => `${recipe?.name}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return wrong;
}
