import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { liftedLimits, openTestApi } from './support/api.ts';
import type { ServerProcess } from './support/api-process.ts';
import { openHold } from './support/hold.ts';
import { makePdf } from './support/samples.ts';
import { openScene, type Scene } from './support/scene.ts';
import { rowsOf } from './support/submission-rows.ts';
import { assetPath, type Created, uploadText } from './support/submissions.ts';

/** Longer than the 10 s after which a silent worker counts as dead, or nobody would take over. */
const stopSeconds = Number(process.env.STOP_SECONDS ?? 15);
const testMillisMax = (stopSeconds + 180) * 1000;
const crashAt = join(import.meta.dirname, 'support', 'crash-at.ts');

const api = await openTestApi(liftedLimits);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const { db, blobs } = api.handles;
const pdf = makePdf('/OpenAction << /S /JavaScript /JS (app.alert(1)) >>');
const leaflet: string = (await client.uploadFile('leaflet.pdf', pdf)).body.blobPath;
const longText = await uploadText(client, 'long.txt', 'word '.repeat(200_000));

type Stopped = {
  worker: ServerProcess;
  created: Created;
  /** Resolves when it has done, after the pause, what it was about to do. */
  wentOn: Promise<void>;
};

/** A worker that has just stopped itself, right before the statement that begins with these words. */
async function stopBefore(scene: Scene, statement: string): Promise<Stopped> {
  const { promise: stopped, resolve: tellStopped } = Promise.withResolvers<void>();
  const { promise: wentOn, resolve: tellWentOn } = Promise.withResolvers<void>();
  const doom = { CRASH_AT: statement, CRASH_WHEN: 'before', CRASH_SIGNAL: 'SIGSTOP' };
  const worker = await scene.startWorker(doom, {
    preload: crashAt,
    onEntry({ msg }) {
      if (msg === 'a signal to itself') tellStopped();
      if (msg === 'it went on') tellWentOn();
    },
  });
  const created = await scene.submit(leaflet);
  await stopped;
  return { worker, created, wentOn };
}

/** A worker that was stopped when it had the first part of the file. */
async function stopInDownload(scene: Scene): Promise<Stopped> {
  const storage = await openHold(api.config.BLOB_URL, 100_000);
  const { promise: wentOn, resolve: tellWentOn } = Promise.withResolvers<void>();
  const worker = await scene.startWorker(
    { BLOB_URL: storage.url },
    {
      preload: crashAt,
      // By how much it is late decides whether it gives up or comes to the end.
      onEntry({ msg, statement }) {
        if (msg === 'an activity failed' || String(statement).startsWith('insert into examinations')) tellWentOn();
      },
    },
  );
  void worker.ended.then(storage.close);
  const created = await scene.submit(longText);
  await storage.held;
  process.kill(worker.pid, 'SIGSTOP');
  storage.release();
  return { worker, created, wentOn };
}

const stopBeforeFindings = (scene: Scene) => stopBefore(scene, 'insert into examinations');
const stopBeforeCommit = (scene: Scene) => stopBefore(scene, 'commit');

const letItBe = async () => {};
const cancel = async ({ submissionId }: Created, scene: Scene) => {
  expect((await scene.client.post(`/submissions/${submissionId}/cancel`)).status).toBe(202);
};
const cancelAndRetry = async (created: Created, scene: Scene) => {
  await cancel(created, scene);
  const { status, body } = await scene.client.post(`${assetPath(created)}/retry`);
  expect(status).toBe(202);
  await scene.untilStarted(created, 2);
  await scene.untilTold(body);
};
const cancelAndDelete = async (created: Created, scene: Scene) => {
  await cancel(created, scene);
  expect((await scene.client.delete(`/submissions/${created.submissionId}`)).status).toBe(204);
};

const settled = { assets: [{ status: 'complete', attempt: 1 }], examinations: [], credits: [{ attempt: 1 }] };
const cancelled = { assets: [{ error_type: 'cancelled' }], issues: [], examinations: [], credits: [] };
const retried = { assets: [{ status: 'complete', attempt: 2 }], examinations: [], credits: [{ attempt: 2 }] };
const gone = { submissions: [], assets: [], issues: [], examinations: [], credits: [] };

describe.concurrent(`a worker that stands still for ${stopSeconds} s and then goes on`, () => {
  test.for([
    ['in the download', 'another settled it', stopInDownload, letItBe, settled],
    ['before it writes what it found', 'another settled it', stopBeforeFindings, letItBe, settled],
    ['in the transaction that settles', 'another settled it', stopBeforeCommit, letItBe, settled],
    ['before it writes what it found', 'it was cancelled', stopBeforeFindings, cancel, cancelled],
    ['before it writes what it found', 'it was cancelled and retried', stopBeforeFindings, cancelAndRetry, retried],
    ['before it writes what it found', 'it was cancelled and deleted', stopBeforeFindings, cancelAndDelete, gone],
  ] as const)(
    '%s, while %s: changes nothing of that, and does other work again',
    { timeout: testMillisMax },
    async ([_where, _what, stop, happen, outcome], { onTestFinished }) => {
      const scene = await openScene(workspace);
      onTestFinished(scene.close);
      const { worker, created, wentOn } = await stop(scene);
      const isOverAt = Date.now() + stopSeconds * 1000;
      const other = await scene.startWorker();
      await happen(created, scene);
      await scene.untilTold(created);
      const rows = await rowsOf(db, created);
      expect(rows).toMatchObject(outcome);

      await sleep(Math.max(0, isOverAt - Date.now()));
      expect(stateOf(worker)).toBe('T (stopped)');
      process.kill(worker.pid, 'SIGCONT');
      const ending = worker.ended.then(([code, signal]) => `it ended with ${code ?? signal}`);
      expect(await Promise.race([wentOn, ending])).toBeUndefined();
      expect(await rowsOf(db, created)).toEqual(rows);

      await other.stop();
      const next = await scene.submit(leaflet);
      expect(await Promise.race([scene.untilTold(next).then(() => {}), ending])).toBeUndefined();
      expect((await rowsOf(db, next)).assets).toMatchObject([{ status: 'complete' }]);
      expect(await rowsOf(db, created)).toEqual(rows);
    },
  );
});

describe('what broke meanwhile is an outage, and ends no process', () => {
  test('a download that was given up before anyone read it', async () => {
    const { etag } = (await blobs.look(blobs.home, longText, AbortSignal.timeout(30_000))) as { etag: string };
    const patience = new AbortController();
    const bytes = (await blobs.download(blobs.home, longText, etag, patience.signal)) as AsyncIterable<Buffer>;
    patience.abort();
    await sleep(100); // it has said so by now
    await expect(Array.fromAsync(bytes)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('a connection that the database ended between two statements of a transaction', async () => {
    const owner = new pg.Client({ connectionString: api.config.DATABASE_URL });
    await owner.connect();
    const interrupted = db.transaction().execute(async (transaction) => {
      const { pid } = await transaction
        .selectNoFrom((eb) => eb.fn<number>('pg_backend_pid').as('pid'))
        .executeTakeFirstOrThrow();
      await owner.query('select pg_terminate_backend($1)', [pid]);
      await sleep(100); // it has heard of it by now
      await transaction.selectFrom('workspaces').select('tier').execute();
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'service_unavailable' });
    await owner.end();
  });
});

function stateOf({ pid }: ServerProcess): string | undefined {
  return /^State:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}
