import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isExaminer, processesWithOpenFileIn } from '@assay/testing/faults/process-table.ts';
import { root } from '@assay/testing/run/root.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { type ProcessOptions, type ServerProcess, startServerProcess } from '@assay/testing/service/api-process.ts';
import { engineTimes, hasProductionTimes } from '@assay/testing/service/engine-times.ts';
import { submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMemoryLimit } from './memory-limit.ts';

const ordinaryCount = 8;
const deadlyWords = 'this file kills the worker that stores it';
const environment = testEnvironment({
  ...liftedLimits,
  ...engineTimes,
  WORKER_QUEUES: 'control,document:4',
  DEADLY_WORDS: deadlyWords,
});
const api = await openTestApi(environment);

/** Restarts a worker when it dies, like an operator's supervisor. */
function supervise(options: ProcessOptions) {
  let isOver = false;
  let deaths = 0;
  let worker: ServerProcess | undefined;
  const running = (async () => {
    while (!isOver) {
      worker = await startServerProcess('worker', environment, options);
      const [, signal] = await worker.ended;
      if (!isOver && signal === 'SIGKILL') deaths++;
    }
  })();
  onTestFinished(async () => {
    isOver = true;
    await worker?.stop('SIGKILL');
    await running;
  });
  return { deaths: () => deaths };
}

async function keptTries() {
  return await api.handles.db.selectFrom('examination_tries').select(['submission_id', 'ended_by']).execute();
}

describe('a file that kills the worker that examines it', () => {
  test('fails after three tries, while all other files complete', async () => {
    const deadly = api.client((await api.makeWorkspace()).liveKey);
    const ordinary = api.client((await api.makeWorkspace()).liveKey);
    const paths = await Promise.all(
      Array.from({ length: ordinaryCount }, (_, i) => uploadText(ordinary, `${i}.txt`, `ordinary ${i}`)),
    );
    const killer = await submit(deadly, [await uploadText(deadly, 'deadly.txt', deadlyWords)]);
    const others = await Promise.all(paths.map((path) => submit(ordinary, [path])));
    const supervisor = supervise({ preload: join(root, 'packages/testing/src/faults/die-by-file.ts') });

    const { body } = await untilFailed(deadly, killer.submissionId);
    expect(body.assets[0].errorType).toBe('resource_limit_exceeded');
    expect(supervisor.deaths()).toBe(3);
    for (const { submissionId } of others) {
      expect(await untilFinished(ordinary, submissionId)).toMatchObject({ status: 'complete' });
    }
    const lost = { submission_id: killer.submissionId, ended_by: 'worker' };
    expect(await keptTries()).toEqual([lost, lost, lost]);
  }, 300_000);
});

describe('a file whose examination', () => {
  /**
   * Uploads a PDF with a dictionary that never ends. The parser keeps each name: eight bytes of heap per byte of the
   * file.
   */
  async function uploadEndless(client: ReturnType<typeof api.client>, mebibytes: number): Promise<string> {
    const { body } = await client.post('/uploads/url', { filename: 'a.pdf', contentType: 'application/pdf' });
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7\n1 0 obj\n<<'),
      Buffer.alloc(mebibytes * 2 ** 20, '/S/abcdefg'),
    ]);
    await putBlob(body.uploadUrl, bytes);
    return body.blobPath;
  }

  test.each([
    ['takes longer than allowed fails after two tries', { EXAMINATION_SECONDS_MIN: '0.05' }, 'analysis_timeout', 2],
    ['takes more heap than allowed fails at once', { EXAMINATION_HEAP_MB: '64' }, 'resource_limit_exceeded', 1],
  ])(
    '%s, and its worker keeps running',
    async (_, limits, errorType, tries) => {
      const client = api.client((await api.makeWorkspace()).liveKey);
      const { failures, onEntry } = collectFailures();
      const worker = await startServerProcess('worker', { ...environment, ...limits }, { onEntry });
      onTestFinished(async () => void (await worker.stop('SIGKILL')));
      const { submissionId } = await submit(client, [await uploadEndless(client, 16)]);
      const { body } = await untilFailed(client, submissionId);
      expect([body.assets[0].errorType, failures]).toEqual([errorType, Array(tries).fill(errorType)]);
      expect(worker.child.exitCode).toBeNull();
    },
    120_000,
  );

  const outcome = 'fails after three tries, while its worker keeps running and other files complete';

  /** Submits an endless file of the given size together with ordinary files, and expects only that file to fail. */
  async function expectOneFails(worker: ServerProcess, failures: unknown[], mebibytes: number): Promise<void> {
    const client = api.client((await api.makeWorkspace()).liveKey);
    const { submissionId } = await submit(client, [await uploadEndless(client, mebibytes)]);
    const others = await Promise.all(
      Array.from({ length: ordinaryCount }, async (_, i) => submit(client, [await uploadText(client, `${i}.txt`)])),
    );
    const { body } = await untilFailed(client, submissionId);
    const errorType = 'resource_limit_exceeded';
    expect([body.assets[0].errorType, failures]).toEqual([errorType, Array(3).fill(errorType)]);
    for (const other of others) {
      expect(await untilFinished(client, other.submissionId)).toMatchObject({ status: 'complete' });
    }
    expect(worker.child.exitCode).toBeNull();
  }

  test(`is killed by the kernel ${outcome}`, async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'assay-scratch-'));
    const { failures, onEntry } = collectFailures();
    const worker = await startServerProcess('worker', { ...environment, TMPDIR: scratch }, { onEntry });
    // The test kills the examination, which looks to the worker as if memory had run out.
    const killing = setInterval(() => {
      for (const { pid } of processesWithOpenFileIn(scratch, (pid) => isExaminer(pid) && hasLargeFile(pid))) {
        process.kill(pid, 'SIGKILL');
      }
    }, 20);
    onTestFinished(async () => {
      clearInterval(killing);
      await worker.stop('SIGKILL');
      rmSync(scratch, { recursive: true });
    });
    await expectOneFails(worker, failures, 40);
  }, 300_000);

  // Takes minutes, because the kernel first reclaims the memory of all other processes.
  if (hasProductionTimes) {
    test(`takes more memory than the host has ${outcome}`, async () => {
      const machine = openMemoryLimit(800 * 2 ** 20);
      // The heap limit of the examination is never reached: the host has less memory.
      const limits = { ...environment, EXAMINATION_HEAP_MB: '4000' };
      const { failures, onEntry } = collectFailures();
      const worker = await startServerProcess('worker', limits, { wrap: machine.wrap, onEntry });
      onTestFinished(async () => {
        await worker.stop();
        machine.close();
      });
      await expectOneFails(worker, failures, 95);
    }, 600_000);
  }
});

/** Collects the error types of failed tries, in order. */
function collectFailures() {
  const failures: unknown[] = [];
  const onEntry = ({ msg, errorType }: Record<string, unknown>) => {
    if (msg === 'an activity failed') failures.push(errorType);
  };
  return { failures, onEntry };
}

function hasLargeFile(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => statSync(`/proc/${pid}/fd/${fd}`).size > 2 ** 20);
  } catch {
    return false; // it has exited, or closed the file
  }
}

async function untilFailed(client: ReturnType<typeof api.client>, submissionId: string) {
  for (;;) {
    const response = await client.get(`/submissions/${submissionId}`);
    if (response.body.status === 'failed') return response;
    expect(response.body.status).not.toBe('complete');
    await sleep(500);
  }
}
