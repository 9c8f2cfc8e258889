import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuMicrosOfMachine } from '@assay/testing/measure/cpu-clock.ts';
import { median } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { root } from '@assay/testing/run/root.ts';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';

const fileCount = 40;
const roundCount = 5;
const filesPerSecondMin = 4;

/** How many small photos `assay check` gets examined in a second, from its start to its exit. */
export async function benchSmallFiles(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-photos-'));
  const bench = await openSubmissionBench();
  try {
    await bench.start('worker');
    const files = await makePhotos(folder);
    await checkOnce(bench, files, signal); // warm-up
    const rounds: { seconds: number; cpuMillis: number }[] = [];
    for (let i = 0; i < roundCount; i++) rounds.push(await checkOnce(bench, files, signal));
    const rate = median(rounds.map(({ seconds }) => fileCount / seconds));
    const isReached = rate >= filesPerSecondMin;
    const kilobytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / fileCount / 1000;
    const text = [
      formatHead({
        title: 'How many small files are checked in a second',
        command: ['pnpm bench small-files', ...args].join(' '),
        settings: `${roundCount} rounds of ${fileCount} photos`,
        versions: bench.versions,
      }),
      `\`assay check\` with ${fileCount} JPEG photos of 1280 × 720 pixels (${kilobytes.toFixed(0)} kB on average) and all default checks, from ` +
        'its start to its exit. One worker with default settings. CPU is that of the whole machine: the client, the ' +
        `service, its parts and the tools. Median: **${rate.toFixed(2)} files a second** (at least ${filesPerSecondMin} required).`,
      isReached ? 'Reached.' : 'Not reached.',
      formatTable(
        rounds.map(({ seconds, cpuMillis }, i) => ({
          round: String(i + 1),
          seconds: seconds.toFixed(1),
          'files/s': (fileCount / seconds).toFixed(2),
          'CPU ms/file': (cpuMillis / fileCount).toFixed(0),
        })),
      ),
    ].join('\n\n');
    publish(text, args, 'check/small-files.md');
    return isReached;
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true });
  }
}

async function checkOnce({ api, workspace }: SubmissionBench, files: string[], signal: AbortSignal) {
  const [begin, cpuBefore] = [performance.now(), cpuMicrosOfMachine()];
  const program = join(root, 'apps/cli/src/main.ts');
  const args = [program, 'check', '--json', '--fail-on', 'none', ...files];
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ASSAY_API_KEY: workspace.liveKey, ASSAY_BASE_URL: api.url },
    maxBuffer: 64 * 1024 * 1024,
    signal,
  });
  return { seconds: (performance.now() - begin) / 1000, cpuMillis: (cpuMicrosOfMachine() - cpuBefore) / 1000 };
}

/** Each photo is different, so that nothing can be taken over from another one. */
async function makePhotos(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (let i = 0; i < fileCount; i++) {
    const source = `mandelbrot=s=1280x720:r=1:start_scale=${3 - i / 20},noise=alls=10:allf=u:all_seed=${i}`;
    const file = join(folder, `photo-${i}.jpg`);
    copyFileSync(await makeWithFfmpeg('.jpg', ['-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', '4']), file);
    files.push(file);
  }
  return files;
}
