import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { measureTimes, pauseMillis } from '../measure/times-of.ts';
import { openSubmissionBench, type SubmissionBench } from '../submissions/submission-bench.ts';
import { makeExpired } from './expired-submissions.ts';

const settings = { windows: 5, seconds: 20, expired: 100_000, objects: 10_000 };
const slowdownMax = 2;
const stopSecondsMax = 10;
const expiredDays = 400;

/** Measures how much slower other callers get while a worker removes expired submissions and media. */
export async function benchRetention(args: string[]): Promise<boolean> {
  const bench = await openSubmissionBench(undefined, { KEEP_RESULTS_DAYS: '365', DRAIN_SECONDS: '0' });
  try {
    const maker = await bench.start('worker');
    await makeExpired(bench, settings.expired, settings.objects, expiredDays);
    await maker.stop();
    const stuck = await refuseOneDeletion(bench);
    const { submissionId } = await submit(bench.live, [await uploadText(bench.live)]);
    const read = () => bench.live.get(`/submissions/${submissionId}`);
    const p95 = async () => percentile(await measureTimes(read, settings.seconds), 0.95);
    await p95(); // warm-up

    const pairs = [];
    for (let i = 0; i < settings.windows; i++) {
      const alone = await p95();
      const worker = await bench.start('worker');
      await untilRemoving(bench);
      const leftBefore = await countExpired(bench);
      const beside = await p95();
      const removedPerSecond = (leftBefore - (await countExpired(bench))) / settings.seconds;
      const beganStopping = performance.now();
      await worker.stop();
      const stopSeconds = (performance.now() - beganStopping) / 1000;
      pairs.push({ alone, beside, removedPerSecond, stopSeconds });
      console.log(`pair ${i + 1} of ${settings.windows}: ${removedPerSecond.toFixed(0)} removed a second`);
    }
    const rest = await removeRest(bench);
    const ratio = median(pairs.map(({ alone, beside }) => beside / alone));
    const stopSeconds = Math.max(...pairs.map((pair) => pair.stopSeconds));
    const complaints = [
      ...(ratio <= slowdownMax ? [] : [`reads take ${ratio.toFixed(2)} times as long`]),
      ...(stopSeconds <= stopSecondsMax
        ? []
        : [`the worker took ${stopSeconds.toFixed(1)} s to stop (at most ${stopSecondsMax})`]),
      ...(pairs.every(({ removedPerSecond }) => removedPerSecond > 0) ? [] : ['nothing was removed in a window']),
      ...(rest.left.length === 1 && rest.left[0] === stuck ? [] : [`${rest.left.length} are left instead of 1`]),
    ];
    const text = [
      formatHead({
        title: 'What removing old submissions costs other callers',
        command: ['pnpm bench retention', ...args].join(' '),
        settings: `${settings.windows} pairs of windows of ${settings.seconds} s, without and with a worker`,
        versions: bench.versions,
      }),
      `${settings.expired} submissions with one asset each have expired; the media of ${settings.objects} of them are in storage, for the others storage finds nothing. ` +
        `Another caller reads a submission every ${pauseMillis} ms. Each window with a worker ends with SIGTERM during the work. ` +
        `Ratio of the p95: median **${ratio.toFixed(2)}** (at most ${slowdownMax} allowed). The worker stopped within **${stopSeconds.toFixed(1)} s** (at most ${stopSecondsMax} allowed). ` +
        `One submission cannot be deleted, by a trigger of the bench: ${rest.left.length} is left in the end, after ${rest.seconds.toFixed(0)} s more for ${rest.submissions} submissions. By then the media of ${settings.expired - rest.blobsDue} are deleted, one after another.`,
      complaints.length === 0 ? 'Reached.' : `Not reached: ${complaints.join('; ')}.`,
      formatTable(
        pairs.map((pair, i) => ({
          pair: String(i + 1),
          'p95 without, ms': pair.alone.toFixed(2),
          'p95 with, ms': pair.beside.toFixed(2),
          ratio: (pair.beside / pair.alone).toFixed(2),
          'removed a second': pair.removedPerSecond.toFixed(0),
          'stopped after, s': pair.stopSeconds.toFixed(1),
        })),
      ),
    ].join('\n\n');
    publish(text, args, 'retention/retention.md');
    return complaints.length === 0;
  } finally {
    await bench.close();
  }
}

const expiredCondition = `completed_at < now() - interval '366 days'`;

async function countExpired({ db }: SubmissionBench): Promise<number> {
  const { rows } = await db.query(`select count(*)::int as count from submissions where ${expiredCondition}`);
  return rows[0].count;
}

/** Waits until the worker removes expired data: a worker that has just started processes its queues first. */
async function untilRemoving(bench: SubmissionBench): Promise<void> {
  for (const before = await countExpired(bench); (await countExpired(bench)) === before; ) await sleep(100);
}

async function refuseOneDeletion({ db }: SubmissionBench): Promise<string> {
  const { rows } = await db.query(
    `select submission_id as id from submissions where ${expiredCondition} order by 1 limit 1`,
  );
  await db.query(
    `create function refuse_deletion() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$`,
  );
  await db.query(
    `create trigger refuse_deletion before delete on submissions for each row
     when (old.submission_id = '${rows[0].id}') execute function refuse_deletion()`,
  );
  return rows[0].id;
}

/** Measures how long a worker takes to delete all expired submissions but the one that cannot be deleted. */
async function removeRest(bench: SubmissionBench) {
  const submissions = (await countExpired(bench)) - 1;
  const begin = performance.now();
  await bench.start('worker');
  const due = async () => {
    const { rows } = await bench.db.query('select count(*)::int as count from blobs where next_look_at <= now()');
    return rows[0].count as number;
  };
  while ((await countExpired(bench)) > 1) await sleep(500);
  const seconds = (performance.now() - begin) / 1000;
  const { rows } = await bench.db.query(`select submission_id as id from submissions where ${expiredCondition}`);
  return { submissions, seconds, left: rows.map(({ id }) => id as string), blobsDue: await due() };
}
