import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Counts,
  countBlobs,
  deleteOldCopies,
  isDatabaseOutage,
  type Mover,
  moveMedia,
} from '#modules/uploads/move/move-media.ts';
import {
  createReport,
  MoveStopped,
  type MoveTotals,
  type Report,
  type Screen,
} from '#modules/uploads/move/move-report.ts';
import { withMoveLock } from '#modules/uploads/move/move-store.ts';
import { explainFailure } from '#platform/connections/explain-failure.ts';
import type { Handles } from '#platform/handles.ts';
import { Outage } from '#platform/outage.ts';
import type { BlobLocation, Blobs } from '#platform/storage/blobs.ts';
import { storeKinds } from '#platform/storage/stores.ts';
import { AdminMistake, type Command, recordAround } from './command.ts';

const availabilityChecksMax = 3;
const connectionsMax = 5;
const reconnectMillis = 2000;

export type MoveOutcome = MoveTotals & {
  /** Objects that are still in the old store, counted by reason. */
  left: Partial<Counts>;
  oldCopies: number;
  /** Whether running the same command again would do nothing. */
  isFinished: boolean;
};

type MoveOptions = { from: BlobLocation; to: BlobLocation; isDryRun: boolean; deletesSource: boolean };

const storeKindList = storeKinds.join('|');
const optionsUsage = `--from <${storeKindList}> --to <${storeKindList}> [--delete-source] [--dry-run]`;

/** Moves all media to the other store while the service runs. */
export const moveStorage: Command = {
  usage: optionsUsage,
  run: async (args, context) => {
    const work = () => runMove(args, context.handles, process.stderr);
    const { from, to, isDryRun, deletesSource } = readOptions(args, context.handles.blobs);
    if (isDryRun) return work();
    const given = { from: from.store, to: to.store, 'delete-source': deletesSource };
    return recordAround(context, { command: 'storage move', workspaceId: null, arguments: given }, work);
  },
};

export async function runMove(args: string[], handles: Handles, screen: Screen): Promise<MoveOutcome | Counts> {
  const { blobs, db } = handles;
  const options = readOptions(args, blobs);
  for (const place of [options.from, options.to]) await requireAvailable(blobs, place);
  const route = { from: options.from, to: options.to };
  const planned = await countBlobs({ db, blobs, route });
  if (options.isDryRun) return planned;
  const report = createReport(screen, planned);
  try {
    return await withReconnects(() =>
      db.connection().execute((connection) => move({ db: connection, blobs, route }, report, options.deletesSource)),
    );
  } catch (error) {
    if (!(error instanceof MoveStopped || error instanceof Outage)) throw error;
    const reason = error instanceof MoveStopped ? error.message : `${explainFailure(error)}.`;
    throw new AdminMistake(`Stopped: ${reason} Run the same command again to continue.`, { cause: error });
  } finally {
    report.writeProgress(true);
  }
}

/** Fails at once if a store or its container cannot be reached, instead of once per object. */
async function requireAvailable(blobs: Blobs, place: BlobLocation): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await blobs.checkHealth(place);
    } catch (error) {
      if (tries === availabilityChecksMax)
        throw new AdminMistake(`${place.store} is not available: ${explainFailure(error)}`, { cause: error });
      await sleep(reconnectMillis);
    }
  }
}

/** Continues on a new connection after an outage of the database, because a move may take hours. */
async function withReconnects<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || tries === connectionsMax) throw error;
      await sleep(reconnectMillis);
    }
  }
}

async function move(mover: Mover, report: Report, deletesSource: boolean): Promise<MoveOutcome> {
  const outcome = await withMoveLock(mover.db, async () => {
    await moveMedia(mover, report);
    if (deletesSource) await deleteOldCopies(mover, report);
    const { elsewhere: _, 'old copy': old, 'kept copy': kept, ...left } = await countBlobs(mover);
    const isLeft = Object.values(left).some((count) => count > 0);
    const oldCopies = old + kept;
    return { ...report.totals, left, oldCopies, isFinished: !isLeft && !(deletesSource && oldCopies > 0) };
  });
  if (!outcome) throw new AdminMistake('Another process is moving media.');
  return outcome;
}

function readOptions(args: string[], blobs: Blobs): MoveOptions {
  const usage = `usage: admin storage move ${optionsUsage}`;
  let values: { from?: string; to?: string; 'dry-run'?: boolean; 'delete-source'?: boolean };
  try {
    ({ values } = parseArgs({
      args,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        'dry-run': { type: 'boolean' },
        'delete-source': { type: 'boolean' },
      },
    }));
  } catch (error) {
    throw new AdminMistake(`${(error as Error).message}\n\n${usage}`);
  }
  const { from, to, 'dry-run': isDryRun = false, 'delete-source': deletesSource = false } = values;
  if (from === to || !from || !to)
    throw new AdminMistake(`--from and --to must be two of ${storeKinds.join(', ')}.\n\n${usage}`);
  const homeOf = (name: string) => {
    const home = blobs.stores.map((store) => store.home).find(({ store }) => store === name);
    if (!home) throw new AdminMistake(`${name} is not configured. Set the variables of both stores.\n\n${usage}`);
    return home;
  };
  const options = { from: homeOf(from), to: homeOf(to), isDryRun, deletesSource };
  if (!isDryRun && blobs.home.store !== to)
    throw new AdminMistake(`New media go to ${blobs.home.store}. Set OBJECT_STORE=${to} for the service first.`);
  return options;
}
