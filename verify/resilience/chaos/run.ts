import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '@assay/stack/instance.ts';
import { createRandom } from '@assay/testing/run/random.ts';
import { settleMillisMax } from './check/check-submissions.ts';
import type { FinalState, History } from './check/history.ts';
import { lastFaultOf } from './check/run-record.ts';
import { describeOpen } from './describe-open.ts';
import { readMachine, readStores } from './final-state.ts';
import {
  type Callers,
  offerLive,
  offerSandbox,
  openCallers,
  readAgain,
  uploadSimulationFiles,
} from './load/callers.ts';
import { makeFiles, type RealFile } from './load/files.ts';
import type { LoadLimits } from './load/load.ts';
import { createPlanner, type LiveKind, type Planner } from './load/plans.ts';
import { type FaultPlan, type Part, partOf, planFaults } from './load/schedule.ts';
import { sendRequest } from './load/send-request.ts';
import { type Nemesis, strikeAll } from './nemesis.ts';
import { showProgress } from './show-progress.ts';
import {
  dueBlobsQuery,
  missingEventsQuery,
  pendingDeliveriesQuery,
  queryCount,
  unfinishedWorkQuery,
  untilZero,
} from './until-zero.ts';
import { within } from './within.ts';
import { untilUp, type World } from './world.ts';

export type Variant = {
  name: string;
  faults: FaultPlan;
  /** How many runs the schedule is divided into, each with a new service. */
  partCount: number;
  /** Mix and limits of the real files, which are submitted during the whole run. */
  live: LiveKind & LoadLimits;
  sandbox: LoadLimits;
  /** Minimum number of events before the last strike. */
  eventsMin: number;
};

/** The variant, storage, seed and part of the schedule to run. */
export type RunOrder = { variant: Variant; storage: Storage; seed: number; part: Part };

const runMillisMax = 25 * 60_000;
/** No strike begins after this time. The rest of the run takes at most a few minutes if the service recovers. */
const strikesMillisMax = 17 * 60_000;
const prepareMillisMax = 120_000;
/** Arrivals continue this long after the last fault, to use the recovered service. */
const aftermathMillis = 5000;
const deadlyMillisMax = 240_000;
const latecomersMillisMax = 240_000;
const purgeMillisMax = 120_000;
const eventWaitMillisMax = 300_000;
/** Some events are deleted with their submissions, so more than the minimum are needed. */
const keptEventsMargin = 1.1;

/**
 * Runs all phases and records everything in the history. On a slow host the last strikes are left out. If the run
 * cannot end, it fails with a message that says what is still open.
 */
export async function runChaos(world: World, history: History, order: RunOrder, interrupted: AbortSignal) {
  const over = new AbortController();
  const callers = openCallers(world, over.signal);
  const progress = showProgress(history, callers);
  try {
    return await within(
      runMillisMax,
      'the run',
      runPhases(world, history, order, { interrupted, over, callers, progress }),
    );
  } catch (error) {
    const text = `${(error as Error).message}\n${progress.describe()}\n${await describeOpen(world, callers)}`;
    throw new Error(text, { cause: error });
  } finally {
    over.abort();
    progress.end();
  }
}

type RunTools = {
  interrupted: AbortSignal;
  over: AbortController;
  callers: Callers;
  progress: ReturnType<typeof showProgress>;
};

async function runPhases(world: World, history: History, { variant, storage, seed, part }: RunOrder, tools: RunTools) {
  const { callers, progress, interrupted, over } = tools;
  // Two generators, because the number of callers depends on the speed of the service.
  const faults = partOf(planFaults(variant.faults, storage, createRandom(seed)), part);
  const random = createRandom(seed + part.number);
  progress.expect(faults.length);

  progress.enter('prepare');
  const planner = await within(prepareMillisMax, 'the preparation', prepareRun(world, variant, tools, random));
  const live = offerLive(planner, callers, variant.live);
  const sandbox = offerSandbox(planner, callers, variant.sandbox, random);

  progress.enter('faults');
  const deadly: Promise<void>[] = [];
  const nemesis: Nemesis = {
    world,
    history,
    submitDeadlyFile: () => deadly.push(callers.session(planner.deadly())),
    haveSettledSince: callers.haveSettledSince,
    patienceMillis: variant.faults.patienceMillis,
    end: AbortSignal.any([AbortSignal.timeout(strikesMillisMax), interrupted]),
    onStrike: progress.countStrike,
  };
  // The events must happen between the strikes, so the last strike waits for them.
  const strikesBefore = await strikeAll(faults.slice(0, -1), nemesis);
  const patience = AbortSignal.any([AbortSignal.timeout(eventWaitMillisMax), nemesis.end]);
  await untilZero(world, missingEventsQuery(variant.eventsMin * keptEventsMargin), patience);
  const strikesDone = strikesBefore + (await strikeAll(faults.slice(-1), nemesis));
  // Each killed worker counts as a fault, so wait for the last deadly file to fail; the checks find one that does not.
  await Promise.race([
    Promise.all(deadly),
    sleep(deadlyMillisMax, undefined, { signal: over.signal, ref: false }).catch(() => {}),
  ]);
  const lastFaultMillis = lastFaultOf(history.events);
  await sleep(aftermathMillis, undefined, { signal: interrupted }).catch(() => {});
  await Promise.all([live.stop(), sandbox.stop()]);

  progress.enter('settle');
  const deadline = AbortSignal.timeout(Math.max(0, lastFaultMillis + settleMillisMax - history.nowMillis()));
  deadline.addEventListener('abort', () => over.abort());
  await callers.pool.ended();
  // Late submissions count as stuck, but the other checks need a final state, so wait for them.
  await untilZero(world, unfinishedWorkQuery, AbortSignal.timeout(latecomersMillisMax));
  await untilUp(Object.values(world.supervisors));
  await untilZero(world, pendingDeliveriesQuery, AbortSignal.timeout(latecomersMillisMax));
  await purgeNow(world);
  await untilZero(world, dueBlobsQuery, AbortSignal.timeout(purgeMillisMax));

  progress.enter('read');
  const temporalPeakMiB = Math.round(world.supervisors.temporal.peakBytes() / 1024 / 1024);
  await readAgain(callers.clients);
  await world.receiver.idle();
  const state = await readFinalState(world, history);
  history.record({ atMillis: history.nowMillis(), op: 'end', state });
  const counts = {
    'seconds in which real files waited for others to settle': live.waitedSeconds(),
    'seconds in which sandbox submissions waited for others to settle': sandbox.waitedSeconds(),
    'MiB that Temporal held at most': temporalPeakMiB,
  };
  return { strikes: { planned: faults.length, done: strikesDone }, counts };
}

async function prepareRun(
  world: World,
  variant: Variant,
  { callers, over }: RunTools,
  random: ReturnType<typeof createRandom>,
): Promise<Planner> {
  const files = makeFiles();
  const simulationPaths = await uploadSimulationFiles(world, files[0] as RealFile, over.signal);
  const planner = createPlanner(random, files, simulationPaths, variant.live);
  // One submission of each blob is kept, so that no deletion removes its last use.
  for (const blobPath of simulationPaths)
    callers.pool.start(() => callers.session({ ...planner.plain(), blobPaths: [blobPath] }));
  await callers.pool.ended();
  return planner;
}

/**
 * The service retries a blob that could not be deleted while storage was down only minutes later, so make it due at
 * once.
 */
async function purgeNow(world: World): Promise<void> {
  await queryCount(
    world,
    'update blobs set next_look_at = now() where discarded_at is not null and emptied_at is null',
  );
}

async function readFinalState(world: World, history: History): Promise<FinalState> {
  const { nextUrl, keys } = world.address;
  const me = await sendRequest(nextUrl(), { method: 'GET', path: '/me', apiKey: keys.live });
  const stores = await readStores(world, history);
  const machine = await readMachine(world, history);
  return { ...stores, creditsUsed: me.body?.credits?.used ?? -1, ...machine };
}
