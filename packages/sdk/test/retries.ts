import {
  ApiError,
  type Assay,
  ConflictError,
  ConnectionError,
  NotFoundError,
  PlanError,
  ServerError,
} from '@assay/sdk';
import { equal, ok, refused } from './assert.ts';
import {
  type Context,
  liveOf,
  openConnection,
  type Promises,
  sandboxOf,
  simulate,
  someId,
  uploadNote,
} from './connection.ts';

/** Faults of one request. The service may have processed the request. */
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
const plainWrites: Record<string, (assay: Assay) => Promise<unknown>> = {
  'submissions.cancel': (assay) => assay.submissions.cancel(someId()),
  'submissions.delete': (assay) => assay.submissions.delete(someId()),
  'issues.decide': (assay) => assay.issues.decide(someId(), someId(), someId(), { status: 'RESOLVED' }),
  'uploads.createUrl': (assay) => assay.uploads.createUrl({ filename: 'a.exe', contentType: 'text/plain' }),
  'uploads.renew': (assay) => assay.uploads.renew({ blobPath: 'none' }),
  'uploads.direct': (assay) => assay.uploads.direct(new Blob(['MZ']), 'a.exe'),
  'webhooks.update': (assay) => assay.webhooks.update(someId(), { description: 'x' }),
  'webhooks.delete': (assay) => assay.webhooks.delete(someId()),
  'webhooks.rotateSecret': (assay) => assay.webhooks.rotateSecret(someId()),
  'webhooks.test': (assay) => assay.webhooks.test(someId()),
  'sandbox.fire': (assay) => assay.sandbox.fire({ eventType: 'asset.processing.completed', submissionId: someId() }),
};

const keyedWrites: Record<string, (assay: Assay) => Promise<unknown>> = {
  'assets.retry': (assay) => assay.assets.retry(someId(), someId()),
  'webhooks.deliveries.replay': (assay) => assay.webhooks.deliveries.replay(someId(), someId()),
  'webhooks.deliveries.replayRange': (assay) =>
    assay.webhooks.deliveries.replayRange(someId(), { since: new Date().toISOString() }),
};

async function expectOneSubmission(context: Context, fault: string): Promise<void> {
  const blobPath = await uploadNote(liveOf(context));
  const connection = openConnection(context, fault);
  const created = await connection
    .simulator()
    .submissions.create({ assets: [{ blobPath }], metadata: { connection: connection.token } });
  const seen = await connection.seen();
  equal(seen.length, 2, 'how often it was sent');
  ok((seen[0]?.idempotencyKey ?? '').length > 20, 'it carries a key');
  equal(seen[1]?.idempotencyKey, seen[0]?.idempotencyKey, 'the key of the second attempt');
  const same: string[] = [];
  for await (const { submissionId, metadata } of sandboxOf(context).submissions.list({ limit: 100 })) {
    if (metadata.connection === connection.token) same.push(submissionId);
  }
  equal(same, [created.submissionId], 'what was created');
}

export const retryPromises: Promises = {
  'a read is retried after each transient error': async (context) => {
    const check = async (fault: string) => {
      const connection = openConnection(context, fault);
      equal((await connection.assay().me()).mode, 'live', `the answer after ${fault}`);
      equal((await connection.seen()).length, 2, `how often it was sent after ${fault}`);
    };
    await Promise.all([...transientFaults, 'answer-429-1'].map(check));
  },
  'a read is sent three times in total, then the error is thrown': async (context) => {
    const [broken, faulty] = [openConnection(context, 'reset-3'), openConnection(context, 'answer-500-3')];
    await Promise.all([refused(broken.assay().me(), ConnectionError), refused(faulty.assay().me(), ServerError)]);
    equal([(await broken.seen()).length, (await faulty.seen()).length], [3, 3], 'how often each was sent');
  },
  'maxRetries of the client and of the call is respected': async (context) => {
    const [never, ofCall, four] = [
      openConnection(context, 'reset-9'),
      openConnection(context, 'reset-9'),
      openConnection(context, 'reset-4'),
    ];
    await refused(never.assay({ maxRetries: 0 }).me(), ConnectionError);
    await refused(ofCall.assay({ maxRetries: 5 }).me({ maxRetries: 1 }), ConnectionError);
    await four.assay({ maxRetries: 0 }).me({ maxRetries: 4 });
    const counts = await Promise.all([never, ofCall, four].map(async (connection) => (await connection.seen()).length));
    equal(counts, [1, 2, 5], 'how often each was sent');
  },
  'a submission whose response is lost is retried with the same key, and created once': (context) =>
    expectOneSubmission(context, 'lost-1'),
  'a submission after an internal error is retried, and created once': (context) =>
    expectOneSubmission(context, 'answer-500-1'),
  'a submission with the same key in progress is retried': (context) => expectOneSubmission(context, 'answer-409-1'),
  'a custom idempotency key makes a call safe across restarts of the program': async (context) => {
    const assay = sandboxOf(context);
    const body = { assets: [{ blobPath: await uploadNote(assay) }] };
    const idempotencyKey = someId();
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
      await refused(write(connection.assay()), NotFoundError);
      const keys = (await connection.seen()).map(({ idempotencyKey }) => idempotencyKey);
      ok(keys.length === 2 && keys[0] !== undefined && keys[0] === keys[1], `${name} was sent with ${keys}`);
    };
    await Promise.all(Object.entries(keyedWrites).map(check));
  },
  'any other write is not retried if it may have been processed': async (context) => {
    const check = async (name: string, fault: string) => {
      const connection = openConnection(context, fault);
      const error = await refused(plainWrites[name]?.(connection.simulator()) as Promise<unknown>, Error);
      ok(error instanceof (/^(reset|lost)/.test(fault) ? ConnectionError : ApiError), `${name}, ${fault}: ${error}`);
      const seen = await connection.seen();
      equal([seen.length, seen[0]?.idempotencyKey ?? null], [1, null], `how often ${name} was sent after ${fault}`);
    };
    for (const fault of transientFaults) await Promise.all(Object.keys(plainWrites).map((name) => check(name, fault)));
  },
  'any other write is retried after 429, as it was not processed': async (context) => {
    const check = async ([name, write]: [string, (assay: Assay) => Promise<unknown>]) => {
      const connection = openConnection(context, 'answer-429-1');
      const error = await refused(write(connection.simulator()), ApiError);
      ok(error.status !== 429, `${name} was answered after the wait: ${error}`);
      equal((await connection.seen()).length, 2, `how often ${name} was sent`);
    };
    await Promise.all(Object.entries(plainWrites).map(check));
  },
  'Retry-After is respected': async (context) => {
    const connection = openConnection(context, 'answer-429-2');
    await connection.assay().me();
    const [first, second, third] = (await connection.seen()).map(({ at }) => at) as [number, number, number];
    ok(second - first >= 990 && third - second >= 990, `the waits were ${second - first} and ${third - second} ms`);
  },
  '402 is never retried': async (context) => {
    const connection = openConnection(context);
    await refused(connection.assay({ apiKey: context.freeKey }).submissions.list(), PlanError);
    equal((await connection.seen()).length, 1, 'how often it was sent');
  },
  '409 is not retried unless the same request is in progress': async (context) => {
    const { submissionId, assets } = await simulate(context, 30);
    const [retry, cancel] = [openConnection(context), openConnection(context)];
    await refused(retry.simulator().assets.retry(submissionId, assets[0]?.assetId ?? ''), ConflictError);
    await sandboxOf(context).submissions.cancel(submissionId);
    await refused(cancel.simulator().submissions.cancel(submissionId), ConflictError);
    equal([(await retry.seen()).length, (await cancel.seen()).length], [1, 1], 'how often each was sent');
  },
  'a permanent error is not retried': async (context) => {
    const connection = openConnection(context);
    await refused(connection.assay().submissions.get(someId()), NotFoundError);
    equal((await connection.seen()).length, 1, 'how often it was sent');
  },
};
