import {
  belongsToExaminer,
  descendantsOf,
  isAlive,
  type Process,
  processesWithOpenFileIn,
} from '@assay/testing/faults/process-table.ts';
import { scratchFilesIn } from '@assay/testing/faults/scratch-files.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import pg from 'pg';
import type { AssetName, Event, FinalSubmission, History } from './check/history.ts';
import { readWebhooks } from './final-webhooks.ts';
import { serviceTargets, type World } from './world.ts';

/** Reads the database and storage while the service still runs. */
export async function readStores(world: World, history: History) {
  const assetNameOf = createAssetNames(history.events);
  const zeroMillis = Date.now() - history.nowMillis();
  const blobIds = await listStoredBlobs(world);
  const db = new pg.Client({ connectionString: world.config.DATABASE_URL });
  await db.connect();
  try {
    await db.query('begin transaction isolation level repeatable read');
    const { rows: submissions } = await db.query(`
      select s.submission_id, s.mode, s.status, s.metadata->>'client' as client, s.completed_at,
        (select json_agg(json_build_object('id', a.asset_id, 'status', a.status, 'attempt', a.attempt,
          'errorType', a.error_type, 'blobId', a.blob_id) order by a.position)
        from assets a where a.submission_id = s.submission_id) as assets
      from submissions s order by s.submission_id`);
    const { rows: credits } = await db.query('select asset_id, attempt, credits from credit_entries order by 1, 2');
    const { rows: waiting } = await db.query(
      'select (select count(*) from runs_to_start)::int + (select count(*) from runs_to_cancel)::int as count',
    );
    // A blob counts as orphaned if it was discarded with the last submission that used it.
    const { rows: owned } = await db.query(`
      select blob_id from blobs b where emptied_at is null
        and (discarded_at is null or exists (select from assets a where a.blob_id = b.blob_id))`);
    const ownedIds = new Set(owned.map(({ blob_id }) => blob_id));
    return {
      submissions: submissions.map(
        (row): FinalSubmission => ({
          submissionId: row.submission_id,
          client: row.client === null ? null : Number(row.client),
          mode: row.mode,
          status: row.status,
          endedAtMillis: row.completed_at && row.completed_at.getTime() - zeroMillis,
          assets: (row.assets ?? []).map((asset: Record<string, string> & { attempt: number }) => ({
            asset: assetNameOf(asset.id as string),
            status: asset.status,
            attempt: asset.attempt,
            ...(asset.errorType && { errorType: asset.errorType }),
            hasBlob: blobIds.has(asset.blobId as string),
          })),
        }),
      ),
      credits: credits.map((row) => ({ asset: assetNameOf(row.asset_id), attempt: row.attempt, credits: row.credits })),
      runsWaiting: waiting[0].count as number,
      storedBlobs: blobIds.size,
      orphanBlobs: [...blobIds].filter((id) => !ownedIds.has(id)),
      webhooks: await readWebhooks(db, world, assetNameOf, zeroMillis),
    };
  } finally {
    await db.end();
  }
}

/** Processes and files on the host, before and after the API and the workers are stopped. */
export async function readMachine({ supervisors, disk, stopService }: World, history: History) {
  const service = serviceTargets.map((target) => supervisors[target]);
  // All work is done, so every child process still running is left over, except those that wait for the next file.
  const families = service.flatMap((supervisor) => descendantsOf(supervisor.pid() ?? 0));
  const waiting = families.filter(({ pid }) => belongsToExaminer(pid));
  const idleFamilies = families.filter((one) => !waiting.includes(one));
  await stopService();
  const struck = service.flatMap((supervisor) => supervisor.struckFamilies).filter(isAlive);
  const orphans = new Map(
    [...idleFamilies, ...waiting.filter(isAlive), ...struck, ...processesWithOpenFileIn(disk.folder)].map((one) => [
      one.pid,
      one,
    ]),
  );
  const kills = history.events.filter((event) => event.op === 'kill' && /^(api|worker)/.test(event.target));
  return {
    scratchFiles: scratchFilesIn(disk.folder),
    processesEnded: kills.length + service.length,
    orphanProcesses: [...orphans.values()].map(({ pid, name }: Process) => `${name} (pid ${pid})`),
  };
}

function createAssetNames(events: Event[]): (assetId: string) => AssetName {
  const names = new Map<string, AssetName>();
  for (const event of events) {
    if (event.op !== 'create') continue;
    for (const [place, assetId] of (event.assetIds ?? []).entries()) names.set(assetId, `${event.client}/${place}`);
  }
  return (assetId) => names.get(assetId) ?? assetId;
}

// A blob's name is <workspace_id>/<blob_id>-<filename>.
async function listStoredBlobs({ config }: World): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { name } of openContainer(config).listBlobsFlat()) {
    ids.add(name.slice(name.indexOf('/') + 1).slice(0, 36));
  }
  return ids;
}
