import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@assay/testing/service/client.ts';
import { openReceiver } from '@assay/testing/service/receiver.ts';
import { subscribe } from '@assay/testing/service/webhooks.ts';
import { type History, openHistory } from '../chaos/check/history.ts';
import type { AnsweredRequest } from './balancer.ts';
import { readRuns } from './engine-runs.ts';
import { awaitFinalCounts, countUnreceived } from './final-state.ts';
import { type Load, startLoad } from './load.ts';
import { openService } from './service.ts';
import { readUnexamined, submitUnexamined } from './unexamined.ts';
import { runCommand, type Version } from './version.ts';

type Phase = { name: string; seconds: number; responses: AnsweredRequest[] };
type Setting = {
  previous: Version;
  next: Version;
  environment: Record<string, string>;
  /** The folder of the service's log and the callers' history. */
  folder: string;
  seed: number;
};
export type Result = Awaited<ReturnType<typeof runUpgrade>>;

const phaseMillis = 20_000;
const progressMillis = 10_000;
/** A submission or a delivery that is still unfinished this long after the load has stopped counts as stuck. */
const settleMillisMax = 120_000;

/** Upgrades a service under load, then returns to the previous version on the new schema. */
export async function runUpgrade({ previous, next, environment, folder, seed }: Setting) {
  await runCommand(previous, ['migrate'], environment);
  const create = ['admin', 'workspace', 'create', '--name', 'upgrade', '--tier', 'enterprise'];
  const { liveKey: live, sandboxKey: sandbox } = JSON.parse(await runCommand(previous, create, environment));
  const phases: Phase[] = [];
  const service = await openService(environment, join(folder, 'log.jsonl'), (one) =>
    phases.at(-1)?.responses.push(one),
  );
  const receiver = await openReceiver(refuseSomeOnce());
  const history = openHistory(join(folder, 'history.jsonl'));
  /** Runs one phase: makes a change, then waits while the load continues. */
  const phase = async <T>(name: string, change: () => Promise<T>): Promise<T> => {
    const begin = performance.now();
    const one: Phase = { name, seconds: 0, responses: [] };
    phases.push(one);
    console.log(`== ${name}`);
    const changed = await change();
    await sleep(phaseMillis);
    one.seconds = (performance.now() - begin) / 1000;
    return changed;
  };
  const { start, stop } = service;
  let progress: NodeJS.Timeout | undefined;

  try {
    const caller = { url: service.url, key: live };
    const oldApi = await start(previous, 'api');
    const oldWorker = await start(previous, 'worker');
    const load = await phase('previous version', async () => {
      const client = createClient(service.url, live);
      for (const path of ['steady', 'flaky']) await subscribe(client, `${receiver.url}/${path}`);
      const started = await startLoad(service.url, { live, sandbox }, history, seed);
      progress = setInterval(() => console.log(describeProgress(phases, started)), progressMillis);
      return started;
    });
    await phase('new schema', () => runCommand(next, ['migrate'], environment));
    const newWorker = await phase('new worker beside it', () => start(next, 'worker'));
    const newApi = await phase('new api beside it', () => start(next, 'api'));
    const { unexamined, byNew } = await phase('new version', async () => {
      await Promise.all([stop(oldApi), stop(oldWorker)]);
      const submitted = await submitUnexamined(caller);
      return { unexamined: submitted, byNew: await readUnexamined(caller, submitted) };
    });
    await phase('previous api beside it', () => start(previous, 'api'));
    const byPrevious = await phase('previous api, new worker', async () => {
      await stop(newApi);
      return [
        await readUnexamined(caller, unexamined),
        await readUnexamined(caller, await submitUnexamined(caller)), // created by the previous api
      ];
    });
    await phase('previous worker beside it', () => start(previous, 'worker'));
    await phase('previous version, new schema', () => stop(newWorker));

    console.log('== no new callers');
    await load.stop(settleMillisMax);
    const database = await awaitFinalCounts(environment.DATABASE_URL ?? '', settleMillisMax);
    return {
      phases,
      database,
      unexamined: { byNew, byPrevious },
      runs: await readRuns(environment, service.workers),
      ...summariseCallers(history),
      errors: service.errors,
      unreceived: countUnreceived(database.delivered, receiver.received),
      receipts: receiver.received.length,
    };
  } finally {
    clearInterval(progress);
    await service.close();
    receiver.close();
    await history.close();
  }
}

/** Summarises what the callers see and the balancer does not. */
function summariseCallers({ events }: History) {
  return {
    /** The statuses of uploads to the storage. */
    puts: events.flatMap((event) => (event.op === 'put' ? event.status : [])),
    givenUp: events.flatMap((event) => (event.op === 'give up' ? `client ${event.client}: no ${event.what}` : [])),
  };
}

/** Responses of a receiver that refuses every third event of one subscription once. */
function refuseSomeOnce(): Parameters<typeof openReceiver>[0] {
  const seen = new Set<string>();
  return ({ path, headers }, response) => {
    const eventId = headers['webhook-id'] ?? '';
    const isFirst = !seen.has(path + eventId);
    seen.add(path + eventId);
    const isRefused = isFirst && path === '/flaky' && Number.parseInt(eventId.slice(-4), 16) % 3 === 0;
    response.writeHead(isRefused ? 500 : 200).end();
  };
}

function describeProgress(phases: Phase[], { tally, size }: Load): string {
  const responses = phases.flatMap((phase) => phase.responses);
  const failed = responses.filter(({ isExpected }) => !isExpected).length;
  const { acknowledged, settled, deleted } = tally;
  return `${responses.length} requests, ${failed} failed; ${acknowledged} submissions, ${settled} finished, ${deleted} deleted, ${size()} callers`;
}
