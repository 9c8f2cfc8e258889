import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Storage } from '../../stack/instance.ts';
import { type Callers, offerLive, offerSandbox, openCallers, readAgain, uploadSimulationFiles } from './callers.ts';
import { settleMillisMax } from './check-submissions.ts';
import { makeFiles, type RealFile } from './files.ts';
import { readMachine, readStores } from './final-state.ts';
import type { FinalState, History } from './history.ts';
import { measureRate } from './load.ts';
import { type Nemesis, strikeAll } from './nemesis.ts';
import { createPlanner, type LiveKind } from './plans.ts';
import { createRandom } from './random.ts';
import { lastFaultOf } from './run-record.ts';
import { type FaultPlan, planFaults } from './schedule.ts';
import { sendRequest } from './send-request.ts';
import { untilUp, type World } from './world.ts';

export type Variant = {
  name: string;
  faults: FaultPlan;
  /** Real files, submitted during the whole run. */
  live: LiveKind & { filesPerSecond: number };
  /** Minimum number of events before the last strike and at the end. */
  eventsMin: number;
  /** At the same time; a limit below the arrivals adapts the load to the machine. */
  callersMax: number;
  measure: { callers: number; warmUpSeconds: number; seconds: number };
  /** Share of the measured rate that is submitted during the faults. */
  offeredShare: number;
};

const progressMillis = 5000;
/** Arrivals continue this long after the last fault, to use the recovered service. */
const aftermathMillis = 5000;
const caughtUpSeconds = 15;
const deadlyMillisMax = 240_000;
const latecomersMillisMax = 240_000;
const tidyMillisMax = 120_000;
const eventsMillisMax = 120_000;
/** Some events are removed with submissions that are deleted later. */
const keptEventsMargin = 1.1;

/** The whole run in its phases; everything is recorded in the history. */
export async function runChaos(
  world: World,
  history: History,
  {
    variant,
    storage,
    seed,
    interrupted,
  }: { variant: Variant; storage: Storage; seed: number; interrupted: AbortSignal },
) {
  // Two generators, because the number of callers depends on the speed of the service.
  const [faults, random] = [planFaults(variant.faults, storage, createRandom(seed)), createRandom(seed + 1)];
  const over = new AbortController();
  const callers = openCallers(world, variant.callersMax, over.signal);
  const { pool } = callers;
  const progress = showProgress(history, callers);
  try {
    progress.enter('prepare');
    const files = makeFiles();
    const simulationPaths = await uploadSimulationFiles(world, files[0] as RealFile, over.signal);
    const planner = createPlanner(random, files, simulationPaths, variant.live);
    // One submission of each blob is kept, so that no deletion removes its last use.
    for (const blobPath of simulationPaths)
      pool.start(() => callers.session({ ...planner.plain(), blobPaths: [blobPath] }));
    await pool.ended();

    progress.enter('measure');
    // Together with the real files, because these take a part of the capacity.
    const live = offerLive(planner, callers, variant.live.filesPerSecond);
    const plain = () => callers.session({ ...planner.plain(), lingerMillis: 0 });
    const measuredPerSecond = await measureRate(plain, variant.measure);
    const offeredPerSecond = Math.max(1, Math.round(measuredPerSecond * variant.offeredShare * 100) / 100);

    progress.enter('faults', { perSecond: offeredPerSecond });
    const sandbox = offerSandbox(planner, callers, offeredPerSecond, random);
    // Caught up: no more active callers than arrive within a few seconds.
    const caughtUpSize = (offeredPerSecond + variant.live.filesPerSecond) * caughtUpSeconds;
    const hasRecovered = () =>
      Object.values(world.supervisors).every((supervisor) => supervisor.isUp()) && pool.size() <= caughtUpSize;
    const deadly: Promise<void>[] = [];
    const nemesis: Nemesis = {
      world,
      history,
      submitDeadlyFile: () => deadly.push(callers.session(planner.deadly())),
      hasRecovered,
      patienceMillis: variant.faults.patienceMillis,
      interrupted,
      counted: progress.countStrike,
    };
    // The events must happen between the strikes, so the last strike waits for them.
    const strikesBefore = await strikeAll(faults.slice(0, -1), nemesis);
    const patience = AbortSignal.any([AbortSignal.timeout(eventsMillisMax), interrupted]);
    await untilZero(world, missingEvents(variant.eventsMin * keptEventsMargin), patience);
    const strikesDone = strikesBefore + (await strikeAll(faults.slice(-1), nemesis));
    // Each death of a worker is a fault, so wait for the last one; a missing one is found by the checks.
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
    await pool.ended();
    // Late submissions count as stuck, but wait for them: the other checks need a final state.
    await untilZero(world, stillOpen, AbortSignal.timeout(latecomersMillisMax));
    await untilUp(Object.values(world.supervisors));
    await untilZero(world, toBeDelivered, AbortSignal.timeout(latecomersMillisMax));
    await lookAgain(world);
    await untilZero(world, toBeTidied, AbortSignal.timeout(tidyMillisMax));

    progress.enter('look');
    const temporalPeakMiB = Math.round(world.supervisors.temporal.peakBytes() / 1024 / 1024);
    await readAgain(callers.clients);
    await world.receiver.idle();
    const state = await readFinalState(world, history);
    history.record({ atMillis: history.nowMillis(), op: 'end', state });
    const counts = { 'arrivals turned away': pool.turnedAway(), 'MiB that Temporal held at most': temporalPeakMiB };
    const strikes = { planned: faults.length, done: strikesDone };
    return { measuredPerSecond, offeredPerSecond, strikes, counts };
  } finally {
    over.abort();
    progress.end();
  }
}

/** Prints a line every few seconds. */
function showProgress(history: History, { tally, pool }: Callers) {
  let phase = '';
  let strikeCount = 0;
  const timer = setInterval(() => {
    const { acknowledged, settled, deleted } = tally;
    const counts = `${acknowledged} acknowledged, ${settled} settled, ${deleted} deleted, ${pool.size()} in progress`;
    console.log(`${Math.round(history.nowMillis() / 1000)} s, ${phase}: ${strikeCount} strikes; ${counts}`);
  }, progressMillis);
  return {
    enter(name: string, figures: { perSecond?: number } = {}) {
      phase = name;
      history.record({ atMillis: history.nowMillis(), op: 'phase', name, ...figures });
    },
    countStrike() {
      strikeCount++;
    },
    end: () => clearInterval(timer),
  };
}

/** Includes submissions that no client knows. */
const stillOpen = `select (select count(*) from submissions where completed_at is null)
  + (select count(*) from runs_to_start) + (select count(*) from runs_to_cancel) as count`;
const toBeDelivered = `select count(*) from deliveries where status = 'pending'`;
const missingEvents = (countMin: number) =>
  `select greatest(0, ${Math.ceil(countMin)} - count(*)) as count from events`;
/** A blob that could not be deleted because storage was down is tried again minutes later: here at once. */
async function lookAgain({ config }: World): Promise<void> {
  const db = new pg.Client({ connectionString: config.DATABASE_URL });
  await db.connect();
  await db
    .query('update blobs set next_look_at = now() where discarded_at is not null and emptied_at is null')
    .finally(() => db.end());
}

/** Blobs that are due for retention. */
const toBeTidied = 'select count(*) from blobs where next_look_at <= now()';

async function untilZero({ config }: World, question: string, deadline: AbortSignal): Promise<void> {
  for (; !deadline.aborted; await sleep(500)) {
    const db = new pg.Client({ connectionString: config.DATABASE_URL, connectionTimeoutMillis: 2000 });
    try {
      await db.connect();
      const { rows } = await db.query(question);
      if (Number(rows[0].count) === 0) return;
    } catch {
      // the database has not recovered yet
    } finally {
      await db.end().catch(() => {});
    }
  }
}

async function readFinalState(world: World, history: History): Promise<FinalState> {
  const { nextUrl, keys } = world.address;
  const me = await sendRequest(nextUrl(), { method: 'GET', path: '/me', apiKey: keys.live });
  const stores = await readStores(world, history);
  const machine = await readMachine(world, history);
  return { ...stores, creditsUsed: me.body?.credits?.used ?? -1, ...machine };
}
