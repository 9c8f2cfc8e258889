import {
  ApiError,
  type Assay,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PlanError,
  ServerError,
} from '@assay/sdk';
import { equal, expectRejection, ok } from './assert.ts';
import {
  type ClientTests,
  type Context,
  liveClient,
  openConnection,
  randomId,
  sandboxClient,
  simulate,
  uploadNote,
} from './connection.ts';

/** Faults of a single request after which the service may or may not have processed it. */
const transientFaults = [
  'reset-1',
  'lost-1',
  'answer-500-1',
  'answer-502-1',
  'answer-503-1',
  'answer-504-1',
  'html-502-1',
];

/** Writes without an Idempotency-Key, which must not be processed twice. */
const writesWithoutKey: Record<string, (assay: Assay) => Promise<unknown>> = {
  'submissions.cancel': (assay) => assay.submissions.cancel(randomId()),
  'submissions.delete': (assay) => assay.submissions.delete(randomId()),
  'issues.decide': (assay) => assay.issues.decide(randomId(), randomId(), randomId(), { status: 'RESOLVED' }),
  'uploads.createUrl': (assay) => assay.uploads.createUrl({ filename: 'a.exe', contentType: 'text/plain' }),
  'uploads.renew': (assay) => assay.uploads.renew({ blobPath: 'none' }),
  'uploads.direct': (assay) => assay.uploads.direct(new Blob(['MZ']), 'a.exe'),
  'webhooks.update': (assay) => assay.webhooks.update(randomId(), { description: 'x' }),
  'webhooks.delete': (assay) => assay.webhooks.delete(randomId()),
  'webhooks.rotateSecret': (assay) => assay.webhooks.rotateSecret(randomId()),
  'webhooks.test': (assay) => assay.webhooks.test(randomId()),
  'sandbox.fire': (assay) => assay.sandbox.fire({ eventType: 'asset.processing.completed', submissionId: randomId() }),
};

const writesWithKey: Record<string, (assay: Assay) => Promise<unknown>> = {
  'assets.retry': (assay) => assay.assets.retry(randomId(), randomId()),
  'webhooks.deliveries.replay': (assay) => assay.webhooks.deliveries.replay(randomId(), randomId()),
  'webhooks.deliveries.replayRange': (assay) =>
    assay.webhooks.deliveries.replayRange(randomId(), { since: new Date().toISOString() }),
};

async function expectOneSubmission(context: Context, fault: string): Promise<void> {
  const blobPath = await uploadNote(liveClient(context));
  const connection = openConnection(context, fault);
  const created = await connection
    .simulator()
    .submissions.create({ assets: [{ blobPath }], metadata: { connection: connection.token } });
  const seen = await connection.seen();
  equal(seen.length, 2, 'how often it was sent');
  ok((seen[0]?.idempotencyKey ?? '').length > 20, 'it carries a key');
  equal(seen[1]?.idempotencyKey, seen[0]?.idempotencyKey, 'the key of the second attempt');
  const same: string[] = [];
  for await (const { submissionId, metadata } of sandboxClient(context).submissions.list({ limit: 100 })) {
    if (metadata.connection === connection.token) same.push(submissionId);
  }
  equal(same, [created.submissionId], 'what was created');
}

export const retryTests: ClientTests = {
  'a read is retried after each transient error': async (context) => {
    const check = async (fault: string) => {
      const connection = openConnection(context, fault);
      equal((await connection.assay().me()).mode, 'live', `the response after ${fault}`);
      equal((await connection.seen()).length, 2, `how often it was sent after ${fault}`);
    };
    await Promise.all([...transientFaults, 'answer-429-1'].map(check));
  },
  'a read is sent three times in total, then the error is thrown': async (context) => {
    const [broken, faulty] = [openConnection(context, 'reset-3'), openConnection(context, 'answer-500-3')];
    await Promise.all([
      expectRejection(broken.assay().me(), ConnectionError),
      expectRejection(faulty.assay().me(), ServerError),
    ]);
    equal([(await broken.seen()).length, (await faulty.seen()).length], [3, 3], 'how often each was sent');
  },
  'maxRetries applies whether it is set for the client or for one call': async (context) => {
    const [never, ofCall, four] = [
      openConnection(context, 'reset-9'),
      openConnection(context, 'reset-9'),
      openConnection(context, 'reset-4'),
    ];
    await expectRejection(never.assay({ maxRetries: 0 }).me(), ConnectionError);
    await expectRejection(ofCall.assay({ maxRetries: 5 }).me({ maxRetries: 1 }), ConnectionError);
    await four.assay({ maxRetries: 0 }).me({ maxRetries: 4 });
    const counts = await Promise.all([never, ofCall, four].map(async (connection) => (await connection.seen()).length));
    equal(counts, [1, 2, 5], 'how often each was sent');
  },
  'a submission whose response is lost is retried with the same idempotency key, and created once': (context) =>
    expectOneSubmission(context, 'lost-1'),
  'a submission after an internal error is retried, and created once': (context) =>
    expectOneSubmission(context, 'answer-500-1'),
  'a submission is retried while another request with the same idempotency key is in progress': (context) =>
    expectOneSubmission(context, 'answer-409-1'),
  'a custom idempotency key makes a call safe across restarts of the program': async (context) => {
    const assay = sandboxClient(context);
    const body = { assets: [{ blobPath: await uploadNote(assay) }] };
    const idempotencyKey = randomId();
    const first = await assay.submissions.create(body, { idempotencyKey });
    equal((await assay.submissions.create(body, { idempotencyKey })).submissionId, first.submissionId, 'the second');
    ok(
      (await assay.submissions.create(body)).submissionId !== first.submissionId,
      'without a custom key, each call has its own',
    );
  },
  'every write with an idempotency key is retried with the same key': async (context) => {
    const check = async ([name, write]: [string, (assay: Assay) => Promise<unknown>]) => {
      const connection = openConnection(context, 'lost-1');
      await expectRejection(write(connection.assay()), NotFoundError);
      const keys = (await connection.seen()).map(({ idempotencyKey }) => idempotencyKey);
      ok(keys.length === 2 && keys[0] !== undefined && keys[0] === keys[1], `${name} was sent with ${keys}`);
    };
    await Promise.all(Object.entries(writesWithKey).map(check));
  },
  'a write without an idempotency key is not retried if it may have been processed': async (context) => {
    const check = async (name: string, fault: string) => {
      const connection = openConnection(context, fault);
      const error = await expectRejection(writesWithoutKey[name]?.(connection.simulator()) as Promise<unknown>, Error);
      ok(error instanceof (/^(reset|lost)/.test(fault) ? ConnectionError : ApiError), `${name}, ${fault}: ${error}`);
      const seen = await connection.seen();
      equal([seen.length, seen[0]?.idempotencyKey ?? null], [1, null], `how often ${name} was sent after ${fault}`);
    };
    for (const fault of transientFaults)
      await Promise.all(Object.keys(writesWithoutKey).map((name) => check(name, fault)));
  },
  'a write without an idempotency key is retried after 429, as it was not processed': async (context) => {
    const check = async ([name, write]: [string, (assay: Assay) => Promise<unknown>]) => {
      const connection = openConnection(context, 'answer-429-1');
      const error = await expectRejection(write(connection.simulator()), ApiError);
      ok(error.status !== 429, `${name} was answered after the wait: ${error}`);
      equal((await connection.seen()).length, 2, `how often ${name} was sent`);
    };
    await Promise.all(Object.entries(writesWithoutKey).map(check));
  },
  'Retry-After is respected': async (context) => {
    const connection = openConnection(context, 'answer-429-2');
    await connection.assay().me();
    const [first, second, third] = (await connection.seen()).map(({ at }) => at) as [number, number, number];
    ok(second - first >= 990 && third - second >= 990, `the waits were ${second - first} and ${third - second} ms`);
  },
  'a 402 response is never retried': async (context) => {
    const connection = openConnection(context);
    await expectRejection(connection.assay({ apiKey: context.freeKey }).submissions.list(), PlanError);
    equal((await connection.seen()).length, 1, 'how often it was sent');
  },
  'a 409 response is not retried unless the same request is in progress': async (context) => {
    const { submissionId, assets } = await simulate(context, 30);
    const [retry, cancel] = [openConnection(context), openConnection(context)];
    await expectRejection(retry.simulator().assets.retry(submissionId, assets[0]?.assetId ?? ''), ConflictError);
    await sandboxClient(context).submissions.cancel(submissionId);
    await expectRejection(cancel.simulator().submissions.cancel(submissionId), ConflictError);
    equal([(await retry.seen()).length, (await cancel.seen()).length], [1, 1], 'how often each was sent');
  },
  'a permanent error is not retried': async (context) => {
    const connection = openConnection(context);
    await expectRejection(connection.assay().submissions.get(randomId()), NotFoundError);
    equal((await connection.seen()).length, 1, 'how often it was sent');
  },
};
