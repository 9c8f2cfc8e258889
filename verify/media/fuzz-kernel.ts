import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadKernel } from '@assay/sidekicks/evidence/media/decode/signal/kernel.ts';
import { kernelArguments } from '@assay/sidekicks/evidence/media/decode/signal/kernel-arguments.ts';
import {
  callKernel,
  type KernelCall,
  kernelCalls,
} from '@assay/sidekicks/evidence/media/decode/signal/samples/kernel-calls.ts';
import { createRandom, type Random } from '@assay/testing/run/random.ts';
import { describeSeed, readSeed } from '@assay/testing/run/seed.ts';

const usage = `Usage: [SEED=n] pnpm fuzz-kernel [--seconds 60]

Compiles the kernel with the address and undefined-behaviour sanitizers, and calls its functions with random frames, of
which one in two has a wrong array. A wrong access ends the run and names the seed that repeats it.`;

const edgeMax = 70;
const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);
const firstSeed = readSeed(randomInt(1, 1_000_000));
/** The arguments of the process that runs the kernel, which the sanitizer needs to start with its own library. */
const [modulePath, seedPath] = positionals;

if (values.help) console.log(usage);
else if (modulePath && seedPath) runKernel(modulePath, seedPath);
else process.exitCode = startSanitized();

/** Starts this file again with the sanitizers. Returns the exit code. */
function startSanitized(): number {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fuzz-'));
  try {
    const built = join(folder, 'kernel.node');
    const seedFile = join(folder, 'seed');
    const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-O1', '-g'];
    execFileSync('gcc', [...kernelArguments(...sanitizers), '-o', built], { stdio: 'inherit' });
    const library = (name: string) => execFileSync('gcc', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
    const env = {
      ...process.env,
      SEED: `${firstSeed}`,
      LD_PRELOAD: [library('libasan.so'), library('libubsan.so')].join(' '),
      ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1', // Node.js does not free everything when it ends
      UBSAN_OPTIONS: 'print_stacktrace=1',
    };
    const args = [import.meta.filename, built, seedFile, '--seconds', `${seconds}`];
    const { status } = spawnSync(process.execPath, args, { env, stdio: 'inherit' });
    if (status !== 0) console.error(describeSeed(Number(readFileSync(seedFile, 'utf8')), 'pnpm fuzz-kernel'));
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runKernel(path: string, seedFile: string): void {
  const kernel = loadKernel(path);
  const seedOut = openSync(seedFile, 'w');
  const counts = { accepted: 0, refused: 0 };
  const deadline = Date.now() + seconds * 1000;
  let seed = firstSeed;
  do {
    writeSync(seedOut, `${seed}`.padEnd(12), 0);
    const random = createRandom(seed);
    for (const call of kernelCalls(randomSettings(random))) {
      const isWrong = random.fraction() < 0.5;
      try {
        callKernel(kernel, isWrong ? withWrongArray(call, random) : call);
        counts.accepted++;
      } catch (error) {
        if (!isWrong || !(error instanceof RangeError)) throw error;
        counts.refused++;
      }
    }
    seed++;
  } while (Date.now() < deadline);
  console.log(
    `${seed - firstSeed} frames from seed ${firstSeed} in ${seconds} s: ${counts.accepted} calls accepted, ${counts.refused} refused, no wrong access.`,
  );
}

function randomSettings(random: Random) {
  return {
    width: random.between(1, edgeMax),
    height: random.between(1, edgeMax),
    isRgb: random.fraction() < 0.3,
    isDeep: random.fraction() < 0.4,
    hasTables: random.fraction() < 0.4,
    lines: random.between(0, 2),
    chunks: random.between(1, 4),
    frames: random.between(1, 9),
    stride: random.between(1, 4),
    pick: (below: number) => random.between(0, below - 1),
  };
}

/** An array that is shorter or of another type. A call may accept it, such as a table that is longer than needed. */
function withWrongArray({ name, groups }: KernelCall, random: Random): KernelCall {
  const g = random.between(0, groups.length - 1);
  const group = groups[g] ?? [];
  const i = random.between(0, group.length - 1);
  const array = group[i] as (typeof group)[number];
  const other = random.pick([
    array.slice(0, random.between(0, array.length)), // a copy, or the rest of its memory would still be there
    new Uint8Array(array.length),
    new Float64Array(array.length),
  ]);
  return { name, groups: groups.with(g, group.with(i, other)) };
}
