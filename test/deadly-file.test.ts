import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { liftedLimits, openTestApi, testEnvironment } from './support/api.ts';
import { type ProcessOptions, type ServerProcess, startServerProcess } from './support/api-process.ts';
import { submit, untilOver, uploadText } from './support/submissions.ts';

const honestCount = 20;
const deadlyWords = 'this file kills the worker that stores it';
const environment = testEnvironment({
  ...liftedLimits,
  WORKER_QUEUES: 'control,document:8',
  DEADLY_WORDS: deadlyWords,
});
const api = await openTestApi(environment);

/** Whoever runs a worker starts another when one dies. */
function keepAlive(options: ProcessOptions) {
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

async function triesLeft(): Promise<number> {
  const { tries } = await api.handles.db
    .selectFrom('examination_tries')
    .select((eb) => eb.fn.countAll<string>().as('tries'))
    .executeTakeFirstOrThrow();
  return Number(tries);
}

describe('a file that kills the worker that has it', () => {
  test('fails after three tries; all files beside it complete', async () => {
    const deadly = api.client((await api.makeWorkspace()).liveKey);
    const honest = api.client((await api.makeWorkspace()).liveKey);
    const paths = await Promise.all(
      Array.from({ length: honestCount }, (_, i) => uploadText(honest, `${i}.txt`, `honest ${i}`)),
    );
    const killer = await submit(deadly, [await uploadText(deadly, 'deadly.txt', deadlyWords)]);
    const others = await Promise.all(paths.map((path) => submit(honest, [path])));
    const keeper = keepAlive({ preload: new URL('./support/die-by-file.ts', import.meta.url).pathname });

    const { body } = await untilFailed(deadly, killer.submissionId);
    expect(body.assets[0].errorType).toBe('resource_limit_exceeded');
    expect(keeper.deaths()).toBe(3);
    for (const { submissionId } of others) {
      expect(await untilOver(honest, submissionId)).toMatchObject({ status: 'complete' });
    }
    expect(await triesLeft()).toBe(0);
  }, 300_000);
});

async function untilFailed(client: ReturnType<typeof api.client>, submissionId: string) {
  for (;;) {
    const answer = await client.get(`/submissions/${submissionId}`);
    if (answer.body.status === 'failed') return answer;
    await sleep(500);
  }
}
