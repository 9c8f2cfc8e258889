import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wave } from '../test/poison/riff.ts';
import { cpuMicrosOfEndedChildren } from './cpu-clock.ts';
import { packageVersion } from './machine.ts';
import { compare } from './ratio.ts';
import { formatHead, formatSlices } from './report.ts';
import { abortOnSignal, conclude, readMode } from './run-mode.ts';
import { formatReport, type Section } from './section.ts';
import { inTurns, measure, type Slice } from './slices.ts';
import { openSubmissionBench, type SubmissionBench } from './submission-bench.ts';

const MiB = 1024 * 1024;
const full = { rounds: 4, mebibytes: { most: 40, largest: 100 }, marginShare: 0 };
const quick = { rounds: 2, mebibytes: { most: 2, largest: 66 }, marginShare: 0.5 };
const fileCount = 20;

type Side = { name: string; args: string[]; environment: Record<string, string> };

/** How long the CLI takes to upload 20 files, compared with the storage vendor's client. */
export async function benchCheck(args: string[]): Promise<boolean> {
  const { mode, isWritten } = readMode(args, { full, quick });
  const signal = abortOnSignal();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-check-'));
  const bench = await openSubmissionBench();
  try {
    await bench.start('worker');
    const section = await benchUploads(bench, makeAudioFiles(folder, mode.mebibytes), mode, signal);
    const ratios = section.ratio ? [section.ratio] : [];
    const head = formatHead({
      title: 'What checking files from the command line costs',
      command: ['pnpm bench check', ...args].join(' '),
      settings: `${mode.rounds} rounds of ${fileCount} files, alternating`,
      versions: { ...bench.versions, '@azure/storage-blob': packageVersion('@azure/storage-blob') },
    });
    return conclude(formatReport(head, [section], ratios), ratios, { mode, isWritten, file: 'check.md' });
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true });
  }
}

async function benchUploads(
  bench: SubmissionBench,
  files: string[],
  { rounds, mebibytes, marginShare }: typeof full,
  signal: AbortSignal,
): Promise<Section> {
  const root = join(import.meta.dirname, '..');
  const { BLOB_URL, BLOB_ACCOUNT, BLOB_ACCOUNT_KEY, BLOB_CONTAINER } = bench.config;
  const ours: Side = {
    name: 'assay check',
    args: [join(root, 'apps/cli/src/main.ts'), 'check', '--json', ...files],
    // Nothing is analysed for a sandbox key: what remains is the upload and its overhead.
    environment: { ASSAY_API_KEY: bench.workspace.sandboxKey, ASSAY_BASE_URL: bench.api.url },
  };
  const bare: Side = {
    name: 'bare @azure/storage-blob',
    args: [join(root, 'bench/bare-upload.ts'), BLOB_URL, BLOB_ACCOUNT, BLOB_ACCOUNT_KEY, BLOB_CONTAINER, ...files],
    environment: {},
  };
  for (const side of [ours, bare]) await runSide(bench, side, signal);
  const slices = await inTurns([ours, bare], rounds, (side) => runSide(bench, side, signal));
  const of = (side: Side) => slices.get(side) as Slice[];
  return {
    title: 'Uploads',
    what:
      `${fileCount} audio files, four at a time: 16 of ${mebibytes.most} MiB and 4 of ${mebibytes.largest} MiB, the latter in ` +
      'blocks of 8 MiB, four at a time, on both sides. Each side is a program, measured from start to exit. Ours also ' +
      'requests the URLs, submits with a sandbox key, has the content of every file checked, waits for the end and reads ' +
      'the results; bare only uploads, with the account key.',
    table: formatSlices(slices, 'file'),
    slices: [...slices.values()].flat(),
    ratio: compare('assay check / bare uploads', of(ours), of(bare), 0.9 * (1 - marginShare)),
  };
}

function runSide({ clocks }: SubmissionBench, { args, environment }: Side, signal: AbortSignal): Promise<Slice> {
  const client = () => cpuMicrosOfEndedChildren(process.pid);
  return measure({ client, azurite: clocks.azurite }, async () => {
    const begin = process.hrtime.bigint();
    await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, ...environment },
      maxBuffer: 64 * MiB,
      signal,
    });
    return { requests: fileCount, micros: Number(process.hrtime.bigint() - begin) / 1000 };
  });
}

/** WAV files of noise: real files of any size, generated quickly. */
function makeAudioFiles(folder: string, { most, largest }: typeof full.mebibytes): string[] {
  return Array.from({ length: fileCount }, (_, n) => {
    const samples = randomFillSync(Buffer.alloc((n % 5 === 4 ? largest : most) * MiB));
    const file = join(folder, `audio-${n}.wav`);
    writeFileSync(file, wave({ channels: 2, rate: 48_000 }, samples));
    return file;
  });
}
