import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { storages } from '@assay/stack/instance.ts';
import { printTable } from '@assay/stack/table.ts';
import { describeMachine } from '@assay/testing/measure/machine.ts';
import { parseSeed, readSeed } from '@assay/testing/run/seed.ts';
import { check } from './check/checker.ts';
import { openHistory, readHistory } from './check/history.ts';
import { type RunOrder, runChaos } from './run.ts';
import { folderOf, historyName, summarise } from './summarise.ts';
import { variantOf } from './variants.ts';
import { formatCommand, formatVerdict, judge, type Verdict } from './verdict.ts';
import { openWorld } from './world.ts';

const usage = `usage: pnpm chaos [--webhooks] [--storage azure|s3] [--seed <number>] [--part <number>] [--write]
       pnpm chaos --check <history>

A full run has four parts, one after another. Each has a new service, a quarter of the strikes, and its own verdict, and
ends within 25 minutes. Run one by one with the same seed, they are the same full run.

  --webhooks  at least 1,000 events to 3 subscriptions each, and 5 kills of each process, in one part
  --storage   azure (the default), or s3, which is killed with SIGKILL as often as every other part
  --seed      selects the schedule, as SEED does; the seed of a run is printed
  --part      runs only this part
  --write     write histories and verdicts to verify/resilience/chaos/results
  --check     run nothing; check a recorded history against the invariants`;

const resultFiles = [historyName, 'verdict.md'];

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      webhooks: { type: 'boolean' },
      storage: { type: 'string', default: 'azure' },
      seed: { type: 'string' },
      part: { type: 'string' },
      write: { type: 'boolean' },
      check: { type: 'string' },
    },
  });
  if (values.check) return checkAgain(values.check);
  const seed = values.seed ? parseSeed(values.seed) : readSeed(randomInt(1, 1_000_000));
  const storage = storages.find((name) => name === values.storage);
  if (!storage) throw new Error(usage);
  const variant = variantOf(values.webhooks ? 'webhooks' : 'full', storage);
  const { partCount } = variant;
  const allParts = Array.from({ length: partCount }, (_, i) => i + 1);
  const numbers = values.part ? allParts.filter((number) => number === Number(values.part)) : allParts;
  if (numbers.length === 0) throw new Error(usage);
  const kept = join(import.meta.dirname, 'results', values.webhooks ? 'webhooks' : '', storage === 's3' ? 's3' : '');
  const folder = values.write ? kept : mkdtempSync(join(tmpdir(), 'assay-chaos-'));
  console.log(
    `chaos, ${variant.name} run on ${storage}, seed ${seed}; histories and verdicts are written to ${folder}`,
  );

  const interrupted = new AbortController();
  // Handles every signal, not only the first, so that no signal ends this process before it has stopped what it
  // started.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const failed: string[] = [];
  for (const number of numbers) {
    if (interrupted.signal.aborted) return false;
    const order: RunOrder = { variant, storage, seed, part: { number, count: partCount } };
    const hasPassed = await runPart(order, folderOf(folder, order.part), interrupted.signal).catch((error) => {
      console.error(error);
      return false;
    });
    if (!hasPassed) failed.push(formatCommand({ variant: variant.name, storage, seed, part: order.part }));
  }
  if (partCount > 1) console.log(`\n${summarise(folder, partCount)}`);
  for (const command of failed) console.error(`FAILED; repeat it with: ${command}`);
  return failed.length === 0;
}

async function runPart(order: RunOrder, folder: string, interrupted: AbortSignal): Promise<boolean> {
  const { variant, storage, seed, part } = order;
  console.log(`\npart ${part.number} of ${part.count}`);
  mkdirSync(folder, { recursive: true });
  // Otherwise the results of an earlier run would remain if this run cannot end.
  for (const name of resultFiles) rmSync(join(folder, name), { force: true });
  const historyFile = join(folder, 'history.jsonl');
  const history = openHistory(historyFile);
  const world = await openWorld(history, storage);
  let verdict: Verdict | undefined;
  try {
    const outcome = await runChaos(world, history, order, interrupted);
    const { name, live, sandbox } = variant;
    const [date, machine] = [new Date().toISOString().slice(0, 10), describeMachine()];
    const setting = { variant: name, storage, seed, part, date, machine, live, sandbox, ...outcome };
    history.record({ atMillis: history.nowMillis(), op: 'setting', setting });
    verdict = judge(history.events);
  } finally {
    await history.close();
    const isClean = verdict !== undefined && isGood(verdict);
    await world.close(isClean ? 'reset' : 'stop');
    if (!isClean) console.log('data and logs are kept in the stack instance chaos, until the next part');
  }
  writeResults(folder, historyFile, verdict);
  console.log(`\n${formatVerdict(verdict)}`);
  return isGood(verdict);
}

const isGood = ({ violationCount, strikes }: Verdict) => violationCount === 0 && strikes.done === strikes.planned;

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
  writeFileSync(join(folder, historyName), gzipSync(readFileSync(historyFile), { level: 9 }));
  rmSync(historyFile);
  writeFileSync(join(folder, 'verdict.md'), `${formatVerdict(verdict)}\n`);
}

const hasPassed = await main();
// A run that could not end leaves loops waiting, which would keep this process alive.
process.exit(hasPassed ? 0 : 1);
