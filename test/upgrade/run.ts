import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHistory } from '../chaos/history.ts';
import type { ServerProcess } from '../support/api-process.ts';
import { createClient } from '../support/client.ts';
import { openReceiver } from '../support/receiver.ts';
import { subscribe } from '../support/webhooks.ts';
import { type Answered, openBalancer } from './balancer.ts';
import { readRuns } from './engine-runs.ts';
import { countUnreceived, readDatabase } from './final-state.ts';
import { type Load, startLoad } from './load.ts';
import { createStarter, type Role, runCommand, type Version } from './version.ts';

type Environment = Record<string, string>;
type Phase = { name: string; seconds: number; answers: Answered[] };
export type Result = Awaited<ReturnType<typeof runUpgrade>>;

const phaseMillis = 20_000;
const progressMillis = 10_000;
/** A submission or a delivery that is unfinished this long after the last caller came is stuck. */
const settleMillisMax = 120_000;

/** Upgrades a service under load, then returns to the previous version on the new schema. */
export async function runUpgrade({
  previous,
  next,
  environment,
  folder,
  seed,
}: Record<'previous' | 'next', Version> & {
  environment: Environment;
  folder: string;
  seed: number;
}) {
  const phases: Phase[] = [];
  const balancer = await openBalancer((answered) => phases.at(-1)?.answers.push(answered));
  const receiver = await openReceiver(refuseSomeOnce());
  const history = openHistory(join(folder, 'history.jsonl'));
  const starter = createStarter(environment, join(folder, 'log.jsonl'));
  let load: Load | undefined;
  const progress = setInterval(() => {
    if (load) console.log(describe(phases, load));
  }, progressMillis);

  const phase = async (name: string, change: () => Promise<unknown>) => {
    const begin = performance.now();
    const one: Phase = { name, seconds: 0, answers: [] };
    phases.push(one);
    console.log(`== ${name}`);
    await change();
    await sleep(phaseMillis);
    one.seconds = (performance.now() - begin) / 1000;
  };
  const start = async (version: Version, role: Role): Promise<ServerProcess> => {
    const one = await starter.start(version, role);
    if (role === 'api') await balancer.add(one.url, version.name);
    return one;
  };
  const stopApi = async (api: ServerProcess) => {
    await api.stop();
    balancer.remove(api.url);
  };

  try {
    await runCommand(previous, ['migrate'], environment);
    const create = ['admin', 'workspace', 'create', '--name', 'upgrade', '--tier', 'enterprise'];
    const { liveKey: live, sandboxKey: sandbox } = JSON.parse(await runCommand(previous, create, environment));

    let api = await start(previous, 'api');
    let worker = await start(previous, 'worker');
    await phase('previous version', async () => {
      const client = createClient(balancer.url, live);
      for (const path of ['steady', 'flaky']) await subscribe(client, `${receiver.url}/${path}`);
      load = await startLoad(balancer.url, { live, sandbox }, history, seed);
    });
    await phase('new schema', () => runCommand(next, ['migrate'], environment));
    const [oldApi, oldWorker] = [api, worker];
    await phase('new worker beside it', async () => {
      worker = await start(next, 'worker');
    });
    await phase('new api beside it', async () => {
      api = await start(next, 'api');
    });
    await phase('new version', () => Promise.all([stopApi(oldApi), oldWorker.stop()]));
    const [newApi, newWorker] = [api, worker];
    await phase('previous api beside it', () => start(previous, 'api'));
    await phase('previous api, new worker', () => stopApi(newApi));
    await phase('previous worker beside it', () => start(previous, 'worker'));
    await phase('previous version, new schema', () => newWorker.stop());

    console.log('== no new callers');
    await load?.stop(settleMillisMax);
    const database = await readDatabase(environment.DATABASE_URL ?? '', settleMillisMax);
    const engine = await readRuns(environment, starter.workers);
    const puts = history.events.flatMap((event) => (event.op === 'put' ? event.status : []));
    const givenUp = history.events.flatMap((event) =>
      event.op === 'give up' ? `client ${event.client}: ${event.what}` : [],
    );
    return {
      phases,
      database,
      engine,
      puts,
      givenUp,
      turnedAway: load?.turnedAway() ?? 0,
      errors: starter.errors,
      unreceived: countUnreceived(database.delivered, receiver.received),
      receipts: receiver.received.length,
    };
  } finally {
    clearInterval(progress);
    await starter.stopAll();
    await balancer.close();
    receiver.close();
    await history.close();
  }
}

/** A receiver that refuses every third event of one subscription once. */
function refuseSomeOnce(): Parameters<typeof openReceiver>[0] {
  const timesCame = new Map<string, number>();
  return ({ path, headers }, response) => {
    const eventId = headers['webhook-id'] ?? '';
    const timesBefore = timesCame.get(path + eventId) ?? 0;
    timesCame.set(path + eventId, timesBefore + 1);
    const isRefused = path === '/flaky' && timesBefore === 0 && Number.parseInt(eventId.slice(-4), 16) % 3 === 0;
    response.writeHead(isRefused ? 500 : 200).end();
  };
}

function describe(phases: Phase[], { tally, size }: Load): string {
  const answers = phases.flatMap((phase) => phase.answers);
  const failed = answers.filter(({ isExpected }) => !isExpected).length;
  const { acknowledged, settled, deleted } = tally;
  return `${answers.length} requests, ${failed} failed; ${acknowledged} submissions, ${settled} finished, ${deleted} deleted, ${size()} callers`;
}
