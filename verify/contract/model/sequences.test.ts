import { formatTable } from '@assay/testing/measure/table.ts';
import { copyDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commandsPerSequence, type Outcome, readRunOptions, runSequences } from './run-sequences.ts';
import { openService } from './service.ts';
import { findMissingResponses } from './tally.ts';

// A separate database: the sweeper of another test would deliver what must stay pending here.
const environment = inject('environment');
const databaseName = `assay_model_test_${process.pid}`;
const databaseUrl = await copyDatabase(inject('templateUrl'), databaseName);
const service = await openService({ ...environment, DATABASE_URL: databaseUrl });
afterAll(async () => {
  await service.stop();
  await dropDatabase(environment.DATABASE_URL as string, databaseName);
});

// Some responses depend on whether a file is overwritten before or after it is examined. All of them must occur in the
// full run, most of them here.
const missingRareMax = 10;
// A fixed seed, so that every run covers the same responses; `pnpm model` uses a different one each time.
const options = readRunOptions({ sequenceCount: 40, seed: 1 });
const suiteTitle = `${options.sequenceCount} sequences of ${commandsPerSequence} commands`;

describe(`${suiteTitle}, compared with a simple model of the interface`, () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await runSequences(service, options);
    const { tally, commandCount, seconds } = outcome;
    console.log(`${formatTable(tally.rows())}\n${commandCount} commands in ${seconds.toFixed(0)} s`);
  }, 900_000);

  test('every response is the one that the model expects', () => {
    if (outcome.failures.length > 0) expect.fail(outcome.failures.join('\n\n'));
  });

  test.skipIf(options.path)('every sequence runs, and every usual kind of response occurs', () => {
    expect(outcome.sequenceCount).toBe(options.sequenceCount);
    const { usual, rare } = findMissingResponses(outcome.tally);
    expect(usual).toEqual([]);
    expect(rare.length, rare.join()).toBeLessThanOrEqual(missingRareMax);
  });
});
