import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { Config } from '@assay/server/config/config.ts';
import { type Storage, storages } from '@assay/stack/instance.ts';
import { cpuMicrosOfEndedChildren } from '@assay/testing/measure/cpu-clock.ts';
import { root } from '@assay/testing/run/root.ts';
import { wave } from '#verify/security/poison/formats/riff.ts';
import { abortOnSignal, conclude } from '../measure/conclude.ts';
import { compareRates } from '../measure/ratio.ts';
import { formatHead, formatSlices } from '../measure/report.ts';
import { formatReport, type ReportSection } from '../measure/section.ts';
import { inTurns, measureSlice, type Slice } from '../measure/slices.ts';
import { packageVersion } from '../measure/versions.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';

const MiB = 1024 * 1024;
const roundCount = 4;
const fileMebibytes = { most: 40, largest: 100 };
const fileCount = 20;

/** The storage vendor's client, and the program that uploads with it. */
type Vendor = { name: string; script: string; args(config: Config): string[]; report: string };

const vendors: Record<Storage, Vendor> = {
  azure: {
    name: '@azure/storage-blob',
    script: 'bench/check/bare-upload.ts',
    args: (config) => [config.BLOB_URL, config.BLOB_ACCOUNT, config.BLOB_ACCOUNT_KEY, config.BLOB_CONTAINER],
    report: 'check/check.md',
  },
  s3: {
    name: '@aws-sdk/lib-storage',
    script: 'bench/check/bare-upload-s3.ts',
    args: (config) => [config.S3_ENDPOINT, config.S3_ACCESS_KEY_ID, config.S3_SECRET_ACCESS_KEY, config.S3_BUCKET],
    report: 'check/check-s3.md',
  },
};

type Side = { name: string; args: string[]; environment: Record<string, string> };

/** How long the CLI takes to upload 20 files, compared with the storage vendor's client. */
export async function benchCheck(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { write: { type: 'boolean' }, storage: { type: 'string' } } });
  const storage = storages.find((name) => name === (values.storage ?? 'azure'));
  if (!storage) throw new Error(`--storage must be one of ${storages.join(', ')}`);
  const signal = abortOnSignal();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-check-'));
  const bench = await openSubmissionBench(undefined, {}, storage);
  try {
    await bench.start('worker');
    const vendor = vendors[storage];
    const section = await benchUploads(bench, vendor, makeAudioFiles(folder), signal);
    const ratios = section.ratio ? [section.ratio] : [];
    const head = formatHead({
      title: 'What checking files from the command line costs',
      command: ['pnpm bench check', ...args].join(' '),
      settings: `${roundCount} rounds of ${fileCount} files, alternating`,
      versions: { ...bench.versions, [vendor.name]: packageVersion(vendor.name) },
    });
    return conclude(formatReport(head, [section], ratios), ratios, args, vendor.report);
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true });
  }
}

async function benchUploads(
  bench: SubmissionBench,
  vendor: Vendor,
  files: string[],
  signal: AbortSignal,
): Promise<ReportSection> {
  const ours: Side = {
    name: 'assay check',
    args: [join(root, 'apps/cli/src/main.ts'), 'check', '--json', ...files],
    // With a sandbox key nothing is analysed, so the bench measures only the upload and its overhead.
    environment: { ASSAY_API_KEY: bench.workspace.sandboxKey, ASSAY_BASE_URL: bench.api.url },
  };
  const bare: Side = {
    name: `bare ${vendor.name}`,
    args: [join(root, vendor.script), ...vendor.args(bench.config), ...files],
    environment: {},
  };
  for (const side of [ours, bare]) await runSide(bench, side, signal);
  const slices = await inTurns([ours, bare], roundCount, (side) => runSide(bench, side, signal));
  const of = (side: Side) => slices.get(side) as Slice[];
  return {
    title: 'Uploads',
    what:
      `${fileCount} audio files, four at a time: 16 of ${fileMebibytes.most} MiB and 4 of ${fileMebibytes.largest} MiB, the latter in ` +
      'parts of 8 MiB, four at a time, on both sides. Each side is a program, measured from start to exit. Ours also ' +
      'requests the URLs, submits with a sandbox key, has the content of every file checked, waits for the end and reads ' +
      'the results; bare only uploads, with the account key.',
    table: formatSlices(slices, 'file'),
    slices: [...slices.values()].flat(),
    ratio: compareRates('assay check / bare uploads', of(ours), of(bare), 0.9),
  };
}

function runSide({ clocks }: SubmissionBench, { args, environment }: Side, signal: AbortSignal): Promise<Slice> {
  const client = () => cpuMicrosOfEndedChildren(process.pid);
  return measureSlice({ client, storage: clocks.storage }, async () => {
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
function makeAudioFiles(folder: string): string[] {
  return Array.from({ length: fileCount }, (_, n) => {
    const samples = randomFillSync(Buffer.alloc((n % 5 === 4 ? fileMebibytes.largest : fileMebibytes.most) * MiB));
    const file = join(folder, `audio-${n}.wav`);
    writeFileSync(file, wave({ channels: 2, rate: 48_000 }, samples));
    return file;
  });
}
