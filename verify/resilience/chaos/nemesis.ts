import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './check/history.ts';
import type { Disk } from './disk.ts';
import type { Engine } from './engine.ts';
import type { Fault, Strike, Target } from './load/schedule.ts';
import type { Supervisor } from './supervisor.ts';
import { within } from './within.ts';

export type Nemesis = {
  world: { supervisors: Record<Target, Supervisor>; disk: Disk; engine: Engine };
  history: History;
  /** Submits a file that kills its worker, without waiting for the outcome. */
  submitDeadlyFile(): void;
  /** Whether a submission of each kind that was begun after this time has settled. */
  haveSettledSince(millis: number): boolean;
  patienceMillis: number;
  /** No strike begins after it is aborted. */
  end: AbortSignal;
  /** Called after each strike. */
  onStrike(text: string): void;
};

/** A strike first waits for its target, which may still be starting, and then lasts at most 15 s. */
const strikeMillisMax = 180_000;
/** Shorter than the limit of a strike, so that the error names the engine. */
const engineMillisMax = 120_000;
const pollMillis = 100;

/**
 * Causes each fault at its time. Most faults first wait, for a limited time, until the service has recovered, because
 * killing what is already down tests little. Returns the number of faults: fewer than planned if it was aborted.
 */
export async function strikeAll(faults: Fault[], nemesis: Nemesis): Promise<number> {
  const { history, end } = nemesis;
  let strikeCount = 0;
  for (const fault of faults) {
    const begin = history.nowMillis();
    const before = fault.isPatient ? await untilRecovered(nemesis) : 'did not wait for recovery';
    await sleep(fault.gapMillis, undefined, { signal: end }).catch(() => {});
    if (end.aborted) return strikeCount;
    const waited = formatSeconds(history.nowMillis() - begin);
    const name = strikeName(fault);
    const struckAt = history.nowMillis();
    await within(strikeMillisMax, `the strike '${name}'`, strike(fault, nemesis));
    nemesis.onStrike(`${name}, after ${waited} (${before}); took ${formatSeconds(history.nowMillis() - struckAt)}`);
    strikeCount++;
  }
  return strikeCount;
}

/**
 * Waits, for a limited time, until every process runs and a submission of each kind has been begun and settled since.
 */
async function untilRecovered({
  world: { supervisors },
  history,
  haveSettledSince,
  patienceMillis,
  end,
}: Nemesis): Promise<string> {
  const deadline = performance.now() + patienceMillis;
  let upMillis: number | undefined;
  for (; performance.now() < deadline && !end.aborted; await sleep(pollMillis)) {
    const areUp = Object.values(supervisors).every((supervisor) => supervisor.isUp());
    upMillis = areUp ? (upMillis ?? history.nowMillis()) : undefined;
    if (upMillis !== undefined && haveSettledSince(upMillis)) return 'recovered';
  }
  return 'not recovered';
}

/** Temporal may not have recovered from the previous fault. */
async function retryUntilEngineAnswers<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + engineMillisMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

/** A kill is recorded by its target's supervisor; every other fault is recorded here when it has ended. */
async function strike(fault: Strike, { world, history, submitDeadlyFile }: Nemesis): Promise<void> {
  const { supervisors, disk, engine } = world;
  const atMillis = history.nowMillis();
  const record = (details: { target?: string; count?: number } = {}) => {
    const millis = history.nowMillis() - atMillis;
    history.record({ atMillis, op: 'fault', kind: fault.kind, millis, ...details });
  };
  switch (fault.kind) {
    case 'kill':
      await Promise.all(fault.targets.map((target) => supervisors[target].strike(fault.downMillis)));
      return;
    case 'pause':
      await supervisors[fault.target].pause(fault.millis);
      return record(fault);
    case 'clock jump':
      await supervisors[fault.target].jumpClock(fault.millis);
      return record(fault);
    case 'full disk':
      disk.fill();
      await sleep(fault.millis);
      disk.clear();
      return record();
    case 'lost runs':
      return record({ count: await retryUntilEngineAnswers(engine.forgetRuns) });
    case 'deadly file':
      submitDeadlyFile();
      return record();
  }
}

function strikeName(fault: Strike): string {
  if (fault.kind === 'kill') return `kill ${fault.targets.join(', ')}`;
  return 'target' in fault ? `${fault.kind} of ${fault.target}` : fault.kind;
}

const formatSeconds = (millis: number) => `${(millis / 1000).toFixed(1)} s`;
