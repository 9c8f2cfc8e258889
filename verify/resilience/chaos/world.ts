import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buckets } from '@assay/contract/limits.ts';
import { administer } from '@assay/server/admin/admin.ts';
import { type Config, readConfig } from '@assay/server/config/config.ts';
import { down, knownParts, storageParts, up } from '@assay/stack/control.ts';
import { environmentOf, type Instance, openInstance, type Storage } from '@assay/stack/instance.ts';
import { postgres } from '@assay/stack/parts/postgres.ts';
import { redis } from '@assay/stack/parts/redis.ts';
import { bundleCode } from '@assay/testing/run/bundle-code.ts';
import { root } from '@assay/testing/run/root.ts';
import type { History } from './check/history.ts';
import { type Disk, mountDisk, unmountDisk } from './disk.ts';
import { type Engine, openEngine } from './engine.ts';
import type { Address } from './load/client.ts';
import { deadlyWords } from './load/files.ts';
import { openReceiver, type Receiver } from './load/receiver.ts';
import type { Target } from './load/schedule.ts';
import { boundTemporal, partProgram, runMigrate, serverProgram } from './programs.ts';
import { type Supervisor, supervise } from './supervisor.ts';

/** The processes of the service. */
export const serviceTargets = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const;
const partsOf = ({ storage }: Instance) => [postgres, redis, storageParts[storage], boundTemporal];
const ports = { 'api-1': 17450, 'api-2': 17454, 'worker-1': 17452, 'worker-2': 17453 };
const apiMetricsPorts = { 'api-1': 17451, 'api-2': 17455 };
const jumpClock = join(root, 'packages/testing/src/faults/jump-clock.ts');
const dieByFile = join(root, 'packages/testing/src/faults/die-by-file.ts');
/** Longer than every timeout in the service that a wrong clock could trigger, shorter than the time allowed for settling. */
const clockJumpSeconds = 45;
/** Short enough for a lost run to be found, started and finished within the time allowed after the last fault. */
const reconcileSeconds = 10;
const readyMillisMax = 60_000;
/** Waits before each delivery attempt: short, so that the last attempt is made within the run. */
const webhookWaitsSeconds = [0, 1, 1, 1, 1, 2, 2, 2, 3, 3];

export type World = {
  config: Config;
  address: Address;
  supervisors: Record<Target, Supervisor>;
  /** The webhook receiver, which is never killed. */
  receiver: Receiver;
  /** The disk for the service's scratch files. */
  disk: Disk;
  engine: Engine;
  /** Stops API and workers as an operator does. */
  stopService(): Promise<void>;
  /** Stops the stack instance and keeps its data and logs, or resets it. */
  close(how: 'reset' | 'stop'): Promise<void>;
};

/** Starts a new stack instance, two APIs and two workers as separate processes; whatever exits is restarted. */
export async function openWorld(history: History, storage: Storage): Promise<World> {
  const instance = await openFreshStack(storage);
  try {
    return await openService(instance, history);
  } catch (error) {
    await down(instance, partsOf(instance));
    throw error;
  }
}

async function openFreshStack(storage: Storage): Promise<Instance> {
  const last = openInstance('chaos');
  await down(last, knownParts);
  unmountDisk(scratchFolderOf(last));
  rmSync(last.dir, { recursive: true, force: true });
  const instance = { ...openInstance('chaos'), storage };
  await up(instance, partsOf(instance));
  return instance;
}

async function openService(instance: Instance, history: History): Promise<World> {
  bundleCode();
  const disk = mountDisk(scratchFolderOf(instance));
  const lifted = Object.fromEntries(buckets.map((bucket) => [bucket, 1e9]));
  const environment = {
    ...environmentOf(instance),
    RATE_LIMITS: JSON.stringify({ enterprise: lifted, starter: lifted }), // sandbox keys: `starter`
    WEBHOOK_WAITS_SECONDS: webhookWaitsSeconds.join(),
    RECONCILE_SECONDS: String(reconcileSeconds),
    CLOCK_OFFSETS_SECONDS: `-${clockJumpSeconds},0`,
    DEADLY_WORDS: deadlyWords,
    TMPDIR: disk.folder,
    // With a compile cache, a killed process restarts in half the time.
    NODE_COMPILE_CACHE: join(instance.dir, 'compile-cache'),
  };
  const config = readConfig(environment);
  await runMigrate(environment);
  const workspace = await administer(config, 'workspace create --name chaos --tier enterprise'.split(' '));
  const { liveKey, sandboxKey } = workspace as { liveKey: string; sandboxKey: string };

  const address: Address = {
    nextUrl: createAlternator([ports['api-1'], ports['api-2']].map((port) => `http://127.0.0.1:${port}`)),
    keys: { live: liveKey, sandbox: sandboxKey },
    history,
  };
  const receiver = await openReceiver(address);
  const engine = openEngine(config);
  const supervisors = superviseAll(instance, environment, history);
  const close: World['close'] = async (how) => {
    await Promise.all(Object.values(supervisors).map((supervisor) => supervisor.stop()));
    receiver.close();
    await engine.close();
    disk.unmount();
    await down(instance, partsOf(instance));
    if (how === 'reset') rmSync(instance.dir, { recursive: true, force: true });
  };
  try {
    await untilUp(Object.values(supervisors));
    await receiver.subscribe();
  } catch (error) {
    await close('stop');
    throw error;
  }
  return {
    config,
    address,
    supervisors,
    receiver,
    disk,
    engine,
    async stopService() {
      await Promise.all(serviceTargets.map((target) => supervisors[target].stop()));
    },
    close,
  };
}

function superviseAll(instance: Instance, environment: Record<string, string>, history: History): World['supervisors'] {
  const at = (target: keyof typeof ports, preloads: string[]) => ({
    healthUrl: `http://127.0.0.1:${ports[target]}/healthz`,
    logFile: join(instance.dir, `${target}.log`),
    preloads,
  });
  const api = (target: keyof typeof apiMetricsPorts) => {
    const own = { API_PORT: String(ports[target]), API_METRICS_PORT: String(apiMetricsPorts[target]) };
    return serverProgram(target, 'api', { ...environment, ...own }, at(target, [jumpClock]));
  };
  const worker = (target: 'worker-1' | 'worker-2') => {
    const own = { WORKER_METRICS_PORT: String(ports[target]) };
    return serverProgram(target, 'worker', { ...environment, ...own }, at(target, [jumpClock, dieByFile]));
  };
  const programs = [
    ...partsOf(instance).map((part) => partProgram(instance, part)),
    api('api-1'),
    api('api-2'),
    worker('worker-1'),
    worker('worker-2'),
  ];
  return Object.fromEntries(programs.map((one) => [one.target, supervise(one, history)])) as World['supervisors'];
}

const scratchFolderOf = ({ dir }: Instance) => join(dir, 'scratch');

function createAlternator<T>(all: T[]): () => T {
  let turn = 0;
  return () => all[turn++ % all.length] as T;
}

/** Waits until everything runs and has answered since its last start. */
export async function untilUp(supervisors: Supervisor[]): Promise<void> {
  for (const deadline = Date.now() + readyMillisMax; Date.now() < deadline; await sleep(100))
    if (supervisors.every((supervisor) => supervisor.isUp())) return;
  const missing = supervisors.filter((supervisor) => !supervisor.isUp()).map(({ target }) => target);
  throw new Error(`not up after ${readyMillisMax / 1000} s: ${missing.join(', ')}`);
}
