import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { partsWith, up } from '@assay/stack/control.ts';
import { environmentOf, openInstance } from '@assay/stack/instance.ts';
import { bundleCode } from '@assay/testing/run/bundle-code.ts';
import { describeSeed, parseSeed, readSeed } from '@assay/testing/run/seed.ts';
import { asOwner, createDatabase, dropDatabase } from '@assay/testing/service/make-database.ts';
import { checkUpgrade } from './checks.ts';
import { checkOut, describeThis, findPrevious } from './previous-version.ts';
import { formatReport } from './report.ts';
import { runUpgrade } from './run.ts';

/**
 * `pnpm upgrade-check`: upgrades from the previous version to this one under load, and back. `--from` selects the
 * previous version, `--seed` or SEED the load, `--write` writes the report to a file, `--keep` keeps the checkout of the
 * previous version.
 */

const reportFile = join(import.meta.dirname, 'report.md');
/** Waits before each delivery attempt: short, so that the last attempt is made within the run. */
const webhookWaitsSeconds = '0,1,1,2,2,3,3,3,3,3';
/** Longer than the balancer needs to notice that an API is about to stop. */
const drainSeconds = '3';
/** Limits for the buckets that every version knows, used for both tiers: a sandbox key has the limits of `starter`. */
const limits = { upload: 100_000, submission_write: 100_000, submission_read: 100_000 };

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      seed: { type: 'string' },
      write: { type: 'boolean' },
      keep: { type: 'boolean' },
    },
  });
  const begin = performance.now();
  const instance = openInstance('test');
  await up(instance, partsWith(instance.storage));
  bundleCode();
  const seed = values.seed ? parseSeed(values.seed) : readSeed(randomInt(1, 1_000_000));
  const previous = checkOut(values.from ?? findPrevious());
  const next = describeThis();
  const folder = mkdtempSync(join(tmpdir(), 'assay-upgrade-'));
  console.log(`from ${previous.commit} to ${next.commit} and back, seed ${seed}; logs and history are in ${folder}`);

  const base = environmentOf(instance);
  const serverUrl = base.DATABASE_URL as string;
  const databaseName = `assay_upgrade_${process.pid}`;
  const environment = {
    ...base,
    RATE_LIMITS: JSON.stringify({ starter: limits, enterprise: limits }),
    // The owner for both versions: an installation may use two roles once every process runs this version.
    DATABASE_URL: asOwner(await createDatabase(serverUrl, databaseName)),
    MIGRATION_DATABASE_URL: '',
    API_PORT: '0',
    API_METRICS_PORT: '0',
    WORKER_METRICS_PORT: '0',
    DRAIN_SECONDS: drainSeconds,
    WEBHOOK_WAITS_SECONDS: webhookWaitsSeconds,
    REDIS_KEY_PREFIX: `${randomUUID()}:`,
    TEMPORAL_QUEUE_PREFIX: `${randomUUID()}:`,
  };
  try {
    const result = await runUpgrade({ previous, next, environment, folder, seed });
    const checks = checkUpgrade(result);
    const report = formatReport(result, checks, { previous, next, minutes: (performance.now() - begin) / 60_000 });
    console.log(`\n${report}`);
    if (values.write) writeFileSync(reportFile, report);
    const isGood = checks.every(({ violations }) => violations.length === 0);
    if (isGood) rmSync(folder, { recursive: true });
    else console.log(describeSeed(seed, 'pnpm upgrade-check'));
    return isGood;
  } finally {
    await dropDatabase(serverUrl, databaseName);
    if (!values.keep) previous.remove();
  }
}

process.exitCode = (await main()) ? 0 : 1;
