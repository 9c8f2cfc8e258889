import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ask } from './ask.ts';
import { type Callers, offerLive, offerSandbox, openCallers, readAgain, uploadRehearsals } from './callers.ts';
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
import { untilUp, type World } from './world.ts';

export type Edition = {
  name: string;
  faults: FaultPlan;
  /** Real files that come all the while. */
  live: LiveKind & { filesPerSecond: number };
  /** There are so many before the last strike, and still at the end. */
  eventsMin: number;
  /** At once. Fewer than come make the load one that the machine carries. */
  callersMax: number;
  measure: { callers: number; warmUpSeconds: number; seconds: number };
  /** How much of the measured rate is offered while things are killed. */
  offeredShare: number;
};

const progressMillis = 5000;
/** Arrivals go on so long after the last fault, as a service that is well again is used. */
const aftermathMillis = 5000;
const caughtUpSeconds = 15;
const deadlyMillisMax = 240_000;
const latecomersMillisMax = 240_000;
const tidyMillisMax = 120_000;
const eventsMillisMax = 120_000;
/** Some of the events go with submissions that are yet to be deleted. */
const keptEventsMargin = 1.1;

/** The whole run, in its phases; everything that happens goes into the history. */
export async function runChaos(
  world: World,
  history: History,
  { edition, seed, interrupted }: { edition: Edition; seed: number; interrupted: AbortSignal },
) {
  // Apart from each other, as how many callers there are depends on how fast they are served.
  const [faults, random] = [planFaults(edition.faults, createRandom(seed)), createRandom(seed + 1)];
  const over = new AbortController();
  const callers = openCallers(world, edition.callersMax, over.signal);
  const { crowd } = callers;
  const progress = showProgress(history, callers);
  try {
    progress.enter('prepare');
    const files = makeFiles();
    const rehearsalPaths = await uploadRehearsals(world, files[0] as RealFile, over.signal);
    const planner = createPlanner(random, files, rehearsalPaths, edition.live);
    // One submission of each blob stays, so that no deletion takes the last use of it away.
    for (const blobPath of rehearsalPaths)
      crowd.start(() => callers.session({ ...planner.plain(), blobPaths: [blobPath] }));
    await crowd.ended();

    progress.enter('measure');
    // With the real files already: what they take is not there for others.
    const live = offerLive(planner, callers, edition.live.filesPerSecond);
    const plain = () => callers.session({ ...planner.plain(), lingerMillis: 0 });
    const measuredPerSecond = await measureRate(plain, edition.measure);
    const offeredPerSecond = Math.max(1, Math.round(measuredPerSecond * edition.offeredShare * 100) / 100);

    progress.enter('faults', { perSecond: offeredPerSecond });
    const sandbox = offerSandbox(planner, callers, offeredPerSecond, random);
    // Caught up: no more are under way than come within some seconds.
    const caughtUpSize = (offeredPerSecond + edition.live.filesPerSecond) * caughtUpSeconds;
    const hasRecovered = () =>
      Object.values(world.keepers).every((keeper) => keeper.isUp()) && crowd.size() <= caughtUpSize;
    const deadly: Promise<void>[] = [];
    const nemesis: Nemesis = {
      world,
      history,
      submitDeadlyFile: () => deadly.push(callers.session(planner.deadly())),
      hasRecovered,
      patienceMillis: edition.faults.patienceMillis,
      interrupted,
      counted: progress.countStrike,
    };
    // The events lie between the strikes: the last one waits for them.
    const strikesBefore = await strikeAll(faults.slice(0, -1), nemesis);
    const patience = AbortSignal.any([AbortSignal.timeout(eventsMillisMax), interrupted]);
    await untilZero(world, missingEvents(edition.eventsMin * keptEventsMargin), patience);
    const strikesDone = strikesBefore + (await strikeAll(faults.slice(-1), nemesis));
    // Each death of a worker is a fault, so the last of them is waited for; one that never comes is found by the checks.
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
    await crowd.ended();
    // What is late counts as stuck; still it is waited for, as of a state that changes nothing else can be said.
    await untilZero(world, stillOpen, AbortSignal.timeout(latecomersMillisMax));
    await untilUp(Object.values(world.keepers));
    await untilZero(world, toBeDelivered, AbortSignal.timeout(latecomersMillisMax));
    await untilZero(world, toBeTidied, AbortSignal.timeout(tidyMillisMax));

    progress.enter('look');
    const temporalPeakMiB = Math.round(world.keepers.temporal.peakBytes() / 1024 / 1024);
    await readAgain(callers.clients);
    await world.receiver.idle();
    const state = await readFinalState(world, history);
    history.record({ atMillis: history.nowMillis(), op: 'end', state });
    const counts = { 'arrivals turned away': crowd.turnedAway(), 'MiB that Temporal held at most': temporalPeakMiB };
    const strikes = { planned: faults.length, done: strikesDone };
    return { measuredPerSecond, offeredPerSecond, strikes, counts };
  } finally {
    over.abort();
    progress.end();
  }
}

/** One line every few seconds, for whoever waits for the end. */
function showProgress(history: History, { tally, crowd }: Callers) {
  let phase = '';
  let strikeCount = 0;
  const timer = setInterval(() => {
    const { acknowledged, settled, deleted } = tally;
    const counts = `${acknowledged} acknowledged, ${settled} settled, ${deleted} deleted, ${crowd.size()} under way`;
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

/** Also what no client knows of is to end. */
const stillOpen = `select (select count(*) from submissions where completed_at is null)
  + (select count(*) from runs_to_start) + (select count(*) from runs_to_cancel) as count`;
const toBeDelivered = `select count(*) from deliveries where status = 'pending'`;
const missingEvents = (countMin: number) =>
  `select greatest(0, ${Math.ceil(countMin)} - count(*)) as count from events`;
/** Blobs that the janitor is to look at. */
const toBeTidied = 'select count(*) from blobs where next_look_at <= now()';

async function untilZero({ config }: World, question: string, deadline: AbortSignal): Promise<void> {
  for (; !deadline.aborted; await sleep(500)) {
    const db = new pg.Client({ connectionString: config.DATABASE_URL, connectionTimeoutMillis: 2000 });
    try {
      await db.connect();
      const { rows } = await db.query(question);
      if (Number(rows[0].count) === 0) return;
    } catch {
      // it is not back yet
    } finally {
      await db.end().catch(() => {});
    }
  }
}

async function readFinalState(world: World, history: History): Promise<FinalState> {
  const { nextUrl, keys } = world.address;
  const me = await ask(nextUrl(), { method: 'GET', path: '/me', apiKey: keys.live });
  const stores = await readStores(world, history);
  const machine = await readMachine(world, history);
  return { ...stores, creditsUsed: me.body?.credits?.used ?? -1, ...machine };
}
