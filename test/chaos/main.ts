import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { storages } from '../../stack/instance.ts';
import { printTable } from '../../stack/table.ts';
import { check } from './checker.ts';
import { openHistory, readHistory } from './history.ts';
import { runChaos, type Variant } from './run.ts';
import { formatVerdict, judge, type Verdict } from './verdict.ts';
import { openWorld } from './world.ts';

const usage = `usage: pnpm chaos [--quick | --webhooks] [--storage azure|s3] [--seed <number>] [--write] [--keep]
       pnpm chaos --check <history>

  --quick     short run with 11 strikes: within 5 minutes
  --webhooks  at least 1,000 events to 3 subscriptions each, and 5 kills of each process: within 9 minutes
  --storage   azure (the default), or s3, which is killed with SIGKILL as often as every other part
  --seed      selects the schedule; the seed of a run is printed
  --write     write history and verdict to test/chaos/results
  --keep      leave the parts running afterwards (pnpm stack reset --instance chaos)
  --check     run nothing; check a recorded history against the invariants`;

/** The load of the variants that need no minimum number of events. */
const usual = {
  live: { filesPerSecond: 2, noteShare: 0, cancelledShare: 0.15 },
  eventsMin: 0,
  callersMax: 1500,
};
const full: Variant = {
  name: 'full',
  faults: {
    killsOfEach: 10,
    storageKills: 3,
    pauses: 10,
    clockJumps: 4,
    fullDisks: 3,
    lostRuns: 3,
    deadlyFiles: 3,
    lastMillis: [3000, 15_000],
    gapMillis: [1000, 12_000],
    downMillis: [200, 4000],
    patienceMillis: 45_000,
  },
  ...usual,
  measure: { callers: 48, warmUpSeconds: 5, seconds: 15 },
  offeredShare: 0.5,
};
const quick: Variant = {
  name: 'quick',
  faults: {
    killsOfEach: 1,
    storageKills: 0,
    pauses: 1,
    clockJumps: 1,
    fullDisks: 1,
    lostRuns: 1,
    deadlyFiles: 1,
    lastMillis: [3000, 6000],
    gapMillis: [1000, 6000],
    downMillis: [200, 3000],
    patienceMillis: 15_000,
  },
  ...usual,
  live: { ...usual.live, filesPerSecond: 1 },
  measure: { callers: 48, warmUpSeconds: 4, seconds: 8 },
  offeredShare: 0.08, // the gate's machine is busy, and queued work must finish within the same 60 s
};
/** More real files, most of them the cheapest kind, and few simulated runs, because only real files send events. */
const webhooks: Variant = {
  name: 'webhooks',
  faults: {
    killsOfEach: 5,
    storageKills: 0,
    pauses: 0,
    clockJumps: 0,
    fullDisks: 0,
    lostRuns: 0,
    deadlyFiles: 0,
    lastMillis: [0, 0],
    gapMillis: [2000, 10_000],
    downMillis: [200, 2000],
    patienceMillis: 10_000,
  },
  live: { filesPerSecond: 3, noteShare: 0.85, cancelledShare: 0.4 },
  eventsMin: 1000,
  callersMax: 90,
  measure: { callers: 8, warmUpSeconds: 1, seconds: 4 },
  offeredShare: 0.1,
};

/** versitygw must not lose what it acknowledged, so it is killed like the other parts. */
function withStorageKills(variant: Variant): Variant {
  return { ...variant, faults: { ...variant.faults, storageKills: variant.faults.killsOfEach } };
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      webhooks: { type: 'boolean' },
      storage: { type: 'string', default: 'azure' },
      seed: { type: 'string' },
      write: { type: 'boolean' },
      keep: { type: 'boolean' },
      check: { type: 'string' },
    },
  });
  if (values.check) return checkAgain(values.check);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isInteger(seed)) throw new Error(usage);
  if (values.quick && values.webhooks) throw new Error(usage);
  const storage = storages.find((name) => name === values.storage);
  if (!storage) throw new Error(usage);
  const usualVariant = values.quick ? quick : values.webhooks ? webhooks : full;
  const variant = storage === 's3' ? withStorageKills(usualVariant) : usualVariant;
  const kept = join(import.meta.dirname, 'results', values.webhooks ? 'webhooks' : '', storage === 's3' ? 's3' : '');
  const folder = values.write ? kept : mkdtempSync(join(tmpdir(), 'assay-chaos-'));
  mkdirSync(folder, { recursive: true });
  console.log(`chaos, ${variant.name} run on ${storage}, seed ${seed}; history and verdict are written to ${folder}`);

  const interrupted = new AbortController();
  // Every signal, not only the first: none may end this process before it has stopped what it started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const historyFile = join(folder, 'history.jsonl');
  const history = openHistory(historyFile);
  const world = await openWorld(history, storage);
  let verdict: Verdict | undefined;
  try {
    const setting = await runChaos(world, history, {
      variant,
      storage,
      seed,
      interrupted: interrupted.signal,
    });
    const date = new Date().toISOString().slice(0, 10);
    const { name, live } = variant;
    verdict = judge(history.events, {
      edition: name,
      storage,
      seed,
      date,
      liveFilesPerSecond: live.filesPerSecond,
      ...setting,
    });
  } finally {
    await history.close();
    const isClean = verdict?.violationCount === 0 && !interrupted.signal.aborted;
    await world.close(values.keep ? 'keep' : isClean ? 'reset' : 'stop');
    if (!isClean) console.log('data and logs are kept in the stack instance chaos');
  }
  writeResults(folder, historyFile, verdict);
  console.log(`\n${formatVerdict(verdict)}`);
  return verdict.violationCount === 0 && !interrupted.signal.aborted;
}

function checkAgain(file: string): boolean {
  const invariants = check(readHistory(file));
  printTable(
    invariants.map(({ name, checked, violations }) => ({
      invariant: name,
      checked: String(checked),
      violations: String(violations.length),
    })),
  );
  for (const { name, violations } of invariants) for (const one of violations) console.log(`${name}: ${one}`);
  return invariants.every(({ violations }) => violations.length === 0);
}

function writeResults(folder: string, historyFile: string, verdict: Verdict): void {
  writeFileSync(join(folder, 'history.jsonl.gz'), gzipSync(readFileSync(historyFile), { level: 9 }));
  rmSync(historyFile);
  writeFileSync(join(folder, 'verdict.json'), `${JSON.stringify(verdict, null, 2)}\n`);
  writeFileSync(join(folder, 'verdict.md'), `${formatVerdict(verdict)}\n`);
}

process.exitCode = (await main()) ? 0 : 1;
