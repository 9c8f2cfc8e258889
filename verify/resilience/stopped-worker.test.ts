import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '@assay/testing/media/samples.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import type { ServerProcess } from '@assay/testing/service/api-process.ts';
import { lostAfterSeconds } from '@assay/testing/service/engine-times.ts';
import { openHoldingProxy } from '@assay/testing/service/hold.ts';
import { readSubmissionRows } from '@assay/testing/service/submission-rows.ts';
import { assetPath, type SubmissionIds, uploadText } from '@assay/testing/service/submissions.ts';
import { storageSettingsAt, storageUrlOf } from '@assay/testing/storage/blobs.ts';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

/** `STOP_SECONDS=90` in the nightly run. The worker must count as dead: otherwise no other worker would take over. */
const stopSeconds = Number(process.env.STOP_SECONDS ?? lostAfterSeconds + 2);
const testMillisMax = (stopSeconds + 180) * 1000;
const crashAt = join(root, 'packages/testing/src/faults/crash-at.ts');

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const { db, blobs } = api.handles;
const pdf = makePdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>');
const leaflet: string = (await client.uploadFile('leaflet.pdf', pdf)).body.blobPath;
const longText = await uploadText(client, 'long.txt', 'word '.repeat(200_000));

type Stopped = {
  worker: ServerProcess;
  created: SubmissionIds;
  /** Resolves when the worker, after the pause, has finished what it was doing. */
  resumed: Promise<void>;
};

/** Starts a worker that stops itself right before the statement that starts with these words. */
async function stopBefore(fixture: WorkerFixture, statement: string): Promise<Stopped> {
  const { promise: stopped, resolve: onStopped } = Promise.withResolvers<void>();
  const { promise: resumed, resolve: onResumed } = Promise.withResolvers<void>();
  const crash = { CRASH_AT: statement, CRASH_WHEN: 'before', CRASH_SIGNAL: 'SIGSTOP' };
  const worker = await fixture.startWorker(crash, {
    preload: crashAt,
    onEntry({ msg }) {
      if (msg === 'signal sent') onStopped();
      if (msg === 'resumed') onResumed();
    },
  });
  const created = await fixture.submit(leaflet);
  await stopped;
  return { worker, created, resumed };
}

/** Starts a worker and stops it after it has read the first part of the file. */
async function stopInDownload(fixture: WorkerFixture): Promise<Stopped> {
  const storage = await openHoldingProxy(storageUrlOf(api.config), 100_000);
  const { promise: resumed, resolve: onResumed } = Promise.withResolvers<void>();
  const worker = await fixture.startWorker(storageSettingsAt(storage.url, api.config), {
    preload: crashAt,
    // Depending on how long it was stopped, the worker gives up or finishes.
    onEntry({ msg, statement }) {
      if (msg === 'an activity failed' || String(statement).startsWith('insert into examinations')) onResumed();
    },
  });
  void worker.ended.then(storage.close);
  const created = await fixture.submit(longText);
  await storage.held;
  process.kill(worker.pid, 'SIGSTOP');
  storage.release();
  return { worker, created, resumed };
}

const stopBeforeFindings = (fixture: WorkerFixture) => stopBefore(fixture, 'insert into examinations');
const stopBeforeCommit = (fixture: WorkerFixture) => stopBefore(fixture, 'commit');

const doNothing = async () => {};
const cancel = async ({ submissionId }: SubmissionIds, fixture: WorkerFixture) => {
  expect((await fixture.client.post(`/submissions/${submissionId}/cancel`)).status).toBe(202);
};
const cancelAndRetry = async (created: SubmissionIds, fixture: WorkerFixture) => {
  await cancel(created, fixture);
  const { status, body } = await fixture.client.post(`${assetPath(created)}/retry`);
  expect(status).toBe(202);
  await fixture.untilStarted(created, 2);
  await fixture.untilWorkflowEnds(body);
};
const cancelAndDelete = async (created: SubmissionIds, fixture: WorkerFixture) => {
  await cancel(created, fixture);
  expect((await fixture.client.delete(`/submissions/${created.submissionId}`)).status).toBe(204);
};

const settledRows = { assets: [{ status: 'complete', attempt: 1 }], examinations: [], credits: [{ attempt: 1 }] };
const cancelledRows = { assets: [{ error_type: 'cancelled' }], issues: [], examinations: [], credits: [] };
const retriedRows = { assets: [{ status: 'complete', attempt: 2 }], examinations: [], credits: [{ attempt: 2 }] };
const deletedRows = { submissions: [], assets: [], issues: [], examinations: [], credits: [] };

describe.concurrent(`a worker stopped for ${stopSeconds} s`, () => {
  test.for([
    ['during its download', 'another worker settles the asset', stopInDownload, doNothing, settledRows],
    ['before it writes findings', 'another worker settles the asset', stopBeforeFindings, doNothing, settledRows],
    [
      'in the transaction that settles the asset',
      'another worker settles the asset',
      stopBeforeCommit,
      doNothing,
      settledRows,
    ],
    ['before it writes findings', 'the asset is cancelled', stopBeforeFindings, cancel, cancelledRows],
    [
      'before it writes findings',
      'the asset is cancelled and retried',
      stopBeforeFindings,
      cancelAndRetry,
      retriedRows,
    ],
    [
      'before it writes findings',
      'the asset is cancelled and deleted',
      stopBeforeFindings,
      cancelAndDelete,
      deletedRows,
    ],
  ] as const)(
    '%s, while %s, resumes without changing the stored rows, and then processes new work',
    { timeout: testMillisMax },
    async ([_where, _what, stop, happen, outcome], { onTestFinished }) => {
      const fixture = await openWorkerFixture(workspace);
      onTestFinished(fixture.close);
      const { worker, created, resumed } = await stop(fixture);
      const isOverAt = Date.now() + stopSeconds * 1000;
      const other = await fixture.startWorker();
      await happen(created, fixture);
      await fixture.untilWorkflowEnds(created);
      const rows = await readSubmissionRows(db, created);
      expect(rows).toMatchObject(outcome);

      await sleep(Math.max(0, isOverAt - Date.now()));
      expect(stateOf(worker)).toBe('T (stopped)');
      process.kill(worker.pid, 'SIGCONT');
      const ending = worker.ended.then(([code, signal]) => `it ended with ${code ?? signal}`);
      expect(await Promise.race([resumed, ending])).toBeUndefined();
      expect(await readSubmissionRows(db, created)).toEqual(rows);

      await other.stop();
      const next = await fixture.submit(leaflet);
      expect(await Promise.race([fixture.untilWorkflowEnds(next).then(() => {}), ending])).toBeUndefined();
      expect((await readSubmissionRows(db, next)).assets).toMatchObject([{ status: 'complete' }]);
      expect(await readSubmissionRows(db, created)).toEqual(rows);
    },
  );
});

describe('an operation interrupted during a stop', () => {
  test('fails with storage_unavailable if it is a download that is aborted before its bytes are read', async () => {
    const { etag } = (await blobs.openSnapshot(blobs.home, longText, AbortSignal.timeout(30_000))) as { etag: string };
    const patience = new AbortController();
    const bytes = (await blobs.download(blobs.home, longText, etag, patience.signal)) as AsyncIterable<Buffer>;
    patience.abort();
    await sleep(100); // an unhandled error would have been reported by now
    await expect(Array.fromAsync(bytes)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('fails with service_unavailable if the database closes the connection between two statements of a transaction', async () => {
    const owner = new pg.Client({ connectionString: api.config.DATABASE_URL });
    await owner.connect();
    const interrupted = db.transaction().execute(async (transaction) => {
      const { pid } = await transaction
        .selectNoFrom((eb) => eb.fn<number>('pg_backend_pid').as('pid'))
        .executeTakeFirstOrThrow();
      await owner.query('select pg_terminate_backend($1)', [pid]);
      await sleep(100); // the client has noticed by now
      await transaction.selectFrom('workspaces').select('tier').execute();
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'service_unavailable' });
    await owner.end();
  });
});

function stateOf({ pid }: ServerProcess): string | undefined {
  return /^State:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}
