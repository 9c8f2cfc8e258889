import { setTimeout as sleep } from 'node:timers/promises';
import { Assay } from '@assay/sdk';
import { openFile } from '@assay/sdk/node';
import { formatTable } from '@assay/testing/measure/table.ts';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { openSubmissionBench } from '../submissions/submission-bench.ts';
import { type MadeFile, makeFiles } from './make-files.ts';
import { percentsAtTenths, type Reading } from './tenths.ts';

const pointsMax = 15;
const pollMillis = 100;

/** Whether the progress that callers see agrees with the time: at each tenth of the time, about a tenth is done. */
export async function benchProgress(args: string[]): Promise<boolean> {
  const signal = abortOnSignal();
  const bench = await openSubmissionBench();
  try {
    await bench.start('worker');
    const assay = new Assay({ apiKey: bench.workspace.liveKey, baseUrl: bench.api.url });
    const rows: Record<string, string>[] = [];
    let isReached = true;
    for (const made of await makeFiles()) {
      signal.throwIfAborted();
      const { seconds, readings } = await readProgress(assay, made, signal);
      const tenths = percentsAtTenths(readings, seconds);
      const worst = Math.max(...tenths.map(({ percent, tenth }) => Math.abs(percent - 10 * tenth)));
      if (made.isRequired && worst > pointsMax) isReached = false;
      rows.push({
        file: made.name,
        seconds: seconds.toFixed(1),
        ...Object.fromEntries(tenths.map(({ tenth, percent }) => [`${10 * tenth} %`, String(percent)])),
        'largest difference': `${worst.toFixed(0)}${made.isRequired ? '' : ' *'}`,
      });
    }
    const text = [
      formatHead({
        title: 'Progress compared with time',
        command: ['pnpm bench progress', ...args].join(' '),
        settings: 'one file at a time, one worker with default settings',
        versions: bench.versions,
      }),
      'The percentage that a caller sees after each tenth of the time from `processing` to `complete`. It may differ by at ' +
        `most ${pointsMax} points from the share of the time.`,
      isReached ? 'Reached.' : 'Not reached.',
      formatTable(rows),
      '\\* Nothing is required of files that take a few seconds: progress is recorded once a second.',
    ].join('\n\n');
    publish(text, args, 'progress/progress.md');
    return isReached;
  } finally {
    await bench.close();
  }
}

/** Every percentage that is seen until the file is complete, with the seconds since its examination began. */
async function readProgress(assay: Assay, { path, filename }: MadeFile, signal: AbortSignal) {
  const { blobPath } = await assay.uploads.upload(await openFile(path), { filename, signal });
  const { submissionId } = await assay.submissions.create({ assets: [{ blobPath }] }, { signal });
  const readings: Reading[] = [];
  let beganAt: number | undefined;
  for (;;) {
    const [asset] = (await assay.submissions.get(submissionId, { signal })).assets;
    const now = performance.now();
    if (asset && asset.status !== 'submitted') beganAt ??= now;
    const seconds = (now - (beganAt ?? now)) / 1000;
    if (asset?.status === 'complete') return { seconds, readings };
    if (asset?.status === 'failed') throw new Error(`${filename}: ${asset.errorMessage}`);
    if (beganAt !== undefined) readings.push({ seconds, percent: asset?.progressPercent ?? 0 });
    await sleep(pollMillis, undefined, { signal });
  }
}
