import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { median, percentile } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { openStatementCount } from '../measure/statement-count.ts';
import { measureTimes, pauseMillis } from '../measure/times-of.ts';
import type { SubmissionBench } from '../submissions/submission-bench.ts';
import type { Attempts, StatusCounts } from './attempt-streams.ts';

const settleMillis = 1500;
/** After this time a key has as many streams as it may have, and further attempts are refused. */
const openingMillis = 2000;

type Settings = { windows: number; streamSeconds: number; streams: number };
export type Outcome = { title: string; what: string; table: string; complaints: string[] };

/** Measures how long another key's reads take while one sandbox key keeps opening event streams. */
export async function measureBesideStreams(bench: SubmissionBench, settings: Settings): Promise<Outcome> {
  const { windows, streamSeconds: seconds, streams } = settings;
  const { submissionId } = await submit(bench.live, [await uploadText(bench.live)]);
  const read = () => bench.live.get(`/submissions/${submissionId}`);
  const perWindow = streams / windows;
  const attempts: Attempts = {
    url: bench.api.url,
    key: bench.workspace.sandboxKey,
    channel: `webhooks.${bench.workspace.workspaceId}`,
    count: perWindow,
    perSecond: perWindow / seconds,
  };
  const p95DuringReads = async () => percentile(await measureTimes(read, seconds), 0.95);
  await measureTimes(read, seconds); // warm-up

  const responses: StatusCounts = {};
  const pairs: { alone: number; beside: number }[] = [];
  for (let i = 0; i < windows; i++) {
    const alone = await p95DuringReads();
    const beside = await withStreams(attempts, responses, p95DuringReads);
    pairs.push({ alone, beside });
    await sleep(settleMillis);
  }
  const ratio = median(pairs.map(({ alone, beside }) => beside / alone));
  const queries = await countQueries(bench, attempts, seconds);

  const complaints = [
    ...(ratio <= 2 ? [] : [`reads take ${ratio.toFixed(2)} times as long while streams are open; at most 2 allowed`]),
    ...(queries.perSecond <= 5
      ? []
      : [`streams cause ${queries.perSecond.toFixed(1)} queries a second; at most 5 allowed`]),
    ...(Object.keys(responses).every((status) => ['200', '429'].includes(status))
      ? []
      : ['a response was neither 200 nor 429']),
  ];
  return {
    title: 'While another caller opens streams',
    what:
      `One sandbox key attempts ${streams} streams, ${attempts.perSecond} a second: ${formatResponses(responses)}. ` +
      `${queries.opening} queries are made while the first are opened, and ${queries.perSecond.toFixed(1)} a second from then on (at most 5 allowed). Another key reads a submission every ${pauseMillis} ms, in ` +
      `${windows} pairs of windows of ${seconds} s, without and with them. Ratio of the p95: median **${ratio.toFixed(2)}** (at most 2 allowed).`,
    table: formatTable(
      pairs.map(({ alone, beside }, i) => ({
        pair: String(i + 1),
        'p95 without, ms': alone.toFixed(2),
        'p95 with, ms': beside.toFixed(2),
        ratio: (beside / alone).toFixed(2),
      })),
    ),
    complaints,
  };
}

/** Counts the queries that streams cause: while they are being opened, and per second once they are open. */
async function countQueries({ db }: SubmissionBench, attempts: Attempts, seconds: number) {
  const count = await openStatementCount(db);
  const during = async (millis: number) => {
    const before = (await count()).service;
    await sleep(millis);
    return (await count()).service - before;
  };
  const idlePerSecond = (await during(seconds * 1000)) / seconds;
  const { opening, after } = await withStreams(attempts, {}, async () => ({
    opening: await during(openingMillis),
    after: await during(seconds * 1000 - openingMillis),
  }));
  return { opening, perSecond: Math.max(0, after / (seconds - openingMillis / 1000) - idlePerSecond) };
}

async function withStreams<T>(attempts: Attempts, responses: StatusCounts, work: () => Promise<T>): Promise<T> {
  const thread = new Worker(new URL('./attempt-streams.ts', import.meta.url), { workerData: attempts });
  const made = once(thread, 'message');
  const result = await work();
  const [own] = (await made) as [StatusCounts];
  for (const [status, count] of Object.entries(own))
    responses[Number(status)] = (responses[Number(status)] ?? 0) + count;
  const ended = once(thread, 'exit');
  thread.postMessage('leave');
  await ended;
  return result;
}

const formatResponses = (responses: StatusCounts) =>
  Object.entries(responses)
    .map(([status, count]) => `${count} were answered ${status}`)
    .join(', ');
