import { isDeepStrictEqual } from 'node:util';
import { readSeed } from '@assay/testing/run/seed.ts';
import { createClient } from '@assay/testing/service/client.ts';
import fc from 'fast-check';
import { openEventLog } from './event-log.ts';
import { type Sequence, sequencesOf } from './generate.ts';
import { mayInherit } from './initial-states.ts';
import { createModel, existingSubmissions, existingSubscriptions, type Model } from './model.ts';
import { deliveries } from './perform/perform-deliveries.ts';
import { checkEvents } from './perform/perform-events.ts';
import { awaitEnd, list, me, readResults } from './perform/perform-reads.ts';
import { readToCurrent } from './perform/perform-streams.ts';
import { makeForeignResources, type Service } from './service.ts';
import type { Session } from './session.ts';
import { createTally, type Tally } from './tally.ts';
import { isAwaited } from './targets.ts';

export const commandsPerSequence = 50;
/** How many assets a sequence may give to the worker, which takes most of the time. */
const servedPerSequence = { live: 3, sandbox: 2 };
const sequencesAtOnce = 4;
/** The longest time for which a failing sequence is shrunk. */
const shrinkMillisMax = 60_000;

export type RunOptions = {
  sequenceCount: number;
  seed: number;
  /** The path of a failure as it was printed: runs only that sequence, with the printed seed. */
  path: string | undefined;
  minutesMax: number;
};

export type Outcome = {
  tally: Tally;
  sequenceCount: number;
  commandCount: number;
  seconds: number;
  failures: string[];
};

export function readRunOptions(usual: { sequenceCount: number; seed: number }): RunOptions {
  const { SEQUENCES, PATH_, MINUTES } = process.env;
  return {
    sequenceCount: Number(SEQUENCES ?? usual.sequenceCount),
    seed: readSeed(usual.seed),
    path: PATH_,
    minutesMax: Number(MINUTES ?? Number.POSITIVE_INFINITY),
  };
}

/** Runs several sequences at the same time, each in its own workspace. A failure says how to repeat it. */
export async function runSequences(service: Service, options: RunOptions, note = (_: Outcome) => {}): Promise<Outcome> {
  const begin = performance.now();
  const outcome: Outcome = { tally: createTally(), sequenceCount: 0, commandCount: 0, seconds: 0, failures: [] };
  const { foreign, read, leave } = await makeForeignResources(service);
  const before = await read();
  const runOne = async (sequence: Sequence) => {
    await runSequence(service, foreign, outcome.tally, sequence);
    outcome.sequenceCount++;
    outcome.commandCount += [...sequence].length;
    outcome.seconds = (performance.now() - begin) / 1000;
    note(outcome);
  };
  const lane = async (count: number, i: number) => {
    const failure = await runLane(options, options.seed + i, count, runOne);
    if (failure) outcome.failures.push(failure);
  };
  await Promise.all((options.path ? [1] : splitIntoLanes(options.sequenceCount)).map(lane));
  if (!isDeepStrictEqual(await read(), before)) outcome.failures.push('another workspace was changed');
  await leave();
  return outcome;
}

function splitIntoLanes(total: number): number[] {
  const ofEach = (_: unknown, i: number) => Math.floor((total + i) / sequencesAtOnce);
  return Array.from({ length: sequencesAtOnce }, ofEach).filter((share) => share > 0);
}

/** Runs one sequence after another up to the first failure, which is then shrunk. */
async function runLane(
  { path, minutesMax }: RunOptions,
  seed: number,
  count: number,
  runOne: (sequence: Sequence) => Promise<void>,
): Promise<string | undefined> {
  const [walk, replayPath] = path?.split(',') ?? [];
  let until = Date.now() + minutesMax * 60_000;
  let hasFailed = false;
  const property = fc.asyncProperty(sequencesOf(commandsPerSequence, replayPath), async (sequence) => {
    if (Date.now() > until) return; // the remaining sequences are not run and count as neither passed nor failed
    try {
      await runOne(sequence);
      if (path && !hasFailed) until = 0; // only this sequence was requested
    } catch (error) {
      hasFailed = true;
      until = Math.min(until, Date.now() + shrinkMillisMax);
      throw error;
    }
  });
  const details = await fc.check(property, { seed, numRuns: count, ...(walk && { path: walk }) });
  if (!details.failed) return undefined;
  const kept = /replayPath="([^"]*)"/.exec(String(details.counterexample))?.[1];
  const again = `SEED=${details.seed} PATH_='${details.counterexamplePath},${kept}'`;
  return `${again} (shrunk ${details.numShrinks} times)\n${(details.errorInstance as Error)?.message}`;
}

async function runSequence(service: Service, foreign: Session['foreign'], tally: Tally, sequence: Sequence) {
  const { workspaceId, liveKey, sandboxKey } = await service.makeWorkspace();
  const clients = (url: string) => ({ live: createClient(url, liveKey), sandbox: createClient(url, sandboxKey) });
  const [served, idle] = [clients(service.servedUrl), clients(service.idleUrl)];
  const session: Session = {
    service,
    foreign,
    workspaceId,
    served,
    idle,
    waitingRuns: [],
    eventLog: await openEventLog(idle.sandbox, workspaceId),
    followers: [],
    transcript: [],
    tally,
  };
  const model = createModel(servedPerSequence, service.areEqualBytesSame);
  try {
    await fc.asyncModelRun(() => ({ model, real: session }), sequence);
    await readAll(model, session);
  } catch (error) {
    const lines = session.transcript.map((line, i) => `${String(i + 1).padStart(4)}  ${line}`);
    throw new Error(`${(error as Error).message}\n\n${lines.join('\n')}`, { cause: error });
  } finally {
    const streams = session.followers.flatMap(({ stream }) => stream ?? []);
    await Promise.all([session.eventLog, ...streams].map((stream) => stream.close()));
    await service.forget(workspaceId, session.waitingRuns);
  }
}

/** Reads everything that a sequence has left once more. */
async function readAll(model: Model, session: Session): Promise<void> {
  model.step++;
  await list({ mode: 'live', limit: 100, status: undefined }, model, session);
  await me({ mode: 'live' }, model, session);
  await readIssues(model, session);
  for (const follower of session.followers) await readToCurrent(follower, model, session);
  for (const pick of existingSubscriptions(model).keys()) {
    await deliveries({ by: 'live', subscription: { kind: 'any', pick }, limit: 100, pick: 0 }, model, session);
  }
  await checkEvents(model, session);
}

/** Waits for assets that may inherit a decision, and reads all issues. */
async function readIssues(model: Model, session: Session): Promise<void> {
  for (const submission of existingSubmissions(model)) {
    const { submissionId, label, assets } = submission;
    if (isAwaited(submission) && assets.some(mayInherit)) await awaitEnd(submission, 'live', model, session);
    for (const asset of assets.filter(({ state, ruleCodes }) => state === 'complete' && ruleCodes?.length)) {
      const target = { label, submissionId, submission, assetId: asset.assetId, asset };
      await readResults('issues', 'live', target, model, session);
    }
  }
}
