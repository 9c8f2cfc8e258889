import { ApiError, Assay, AssayError, ConnectionError, TimeoutError } from '@assay/sdk';
import { equal, expectRejection, ok, rejectionOf } from './assert.ts';
import { type ClientTests, liveClient, openConnection, randomId, sandboxClient, simulate } from './connection.ts';

type Environment = Record<string, string | undefined>;

/** What the promise rejects with, and after how many milliseconds. */
async function measureRejection(promise: Promise<unknown>): Promise<{ reason: unknown; millis: number }> {
  const begin = Date.now();
  return { reason: await rejectionOf(promise), millis: Date.now() - begin };
}

/** A signal that is aborted after this time. */
function signalAbortedAfter(millis: number): { signal: AbortSignal; reason: Error } {
  const controller = new AbortController();
  const reason = new Error('aborted by the caller');
  setTimeout(() => controller.abort(reason), millis);
  return { signal: controller.signal, reason };
}

export const callTests: ClientTests = {
  'a signal that is already aborted prevents the request': async (context) => {
    const connection = openConnection(context);
    const signal = AbortSignal.abort();
    const { reason } = await measureRejection(connection.assay().me({ signal }));
    ok(reason === signal.reason, `it fails with the signal’s reason: ${reason}`);
    equal(await connection.seen(), [], 'what was sent');
  },
  'an abort ends a hanging read or write with the signal’s reason': async (context) => {
    const requests = [
      (assay: Assay, signal: AbortSignal) => assay.me({ signal }),
      (assay: Assay, signal: AbortSignal) => assay.submissions.cancel(randomId(), { signal }),
    ];
    for (const request of requests) {
      const connection = openConnection(context, 'hang-9');
      const { signal, reason } = signalAbortedAfter(300);
      const failed = await measureRejection(request(connection.assay(), signal));
      ok(failed.reason === reason, `it fails with the reason of the signal: ${failed.reason}`);
      ok(failed.millis < 20_000, `it took ${failed.millis} ms`);
      ok((await connection.seen()).length <= 1, 'it was not sent again');
    }
  },
  'an abort ends the wait between attempts': async (context) => {
    const connection = openConnection(context, 'answer-429-9');
    const { signal, reason } = signalAbortedAfter(300);
    const failed = await measureRejection(connection.assay({ maxRetries: 30 }).me({ signal }));
    ok(failed.reason === reason, `it fails with the reason of the signal: ${failed.reason}`);
    ok(failed.millis < 20_000, `it took ${failed.millis} ms`);
  },
  'a list sends nothing until it is awaited or iterated, and only then rejects': async (context) => {
    const connection = openConnection(context, 'answer-500-9');
    const list = connection.assay({ maxRetries: 0 }).submissions.list();
    await new Promise((resolve) => setTimeout(resolve, 200));
    equal(await connection.seen(), [], 'what was sent');
    const loop = async () => {
      for await (const submission of list) ok(submission === undefined, 'there is none');
    };
    ok((await rejectionOf(loop())) instanceof ApiError, 'the loop fails');
    ok((await rejectionOf(list)) instanceof ApiError, 'awaiting the first page fails too');
    equal((await connection.seen()).length, 1, 'how often it was sent');
  },
  'a call that exceeds its timeout rejects with a TimeoutError': async (context) => {
    const connection = openConnection(context, 'hang-9');
    const failed = await measureRejection(connection.assay({ maxRetries: 0 }).me({ timeoutMs: 300 }));
    ok(failed.reason instanceof TimeoutError && failed.reason instanceof ConnectionError, `it is: ${failed.reason}`);
    ok(failed.millis >= 290 && failed.millis < 20_000, `it took ${failed.millis} ms`);
  },
  'the timeout applies to each attempt: a read that hangs once succeeds': async (context) => {
    const connection = openConnection(context, 'hang-1');
    equal((await connection.assay({ timeoutMs: 3000 }).me()).mode, 'live', 'the response');
    ok((await connection.seen()).length >= 2, 'it was sent again');
  },
  'a write that hangs is not retried': async (context) => {
    const connection = openConnection(context, 'hang-1');
    await expectRejection(connection.assay({ timeoutMs: 500 }).submissions.cancel(randomId()), TimeoutError);
    ok((await connection.seen()).length <= 1, 'it was not sent again');
  },
  'headers passed to a call are sent': async (context) => {
    const { mode } = await liveClient(context).me({ headers: { 'x-api-key': context.sandboxKey } });
    equal(mode, 'sandbox', 'the mode of the key that was passed');
  },
  'a base URL may end with several slashes': async ({ baseUrl, liveKey }) => {
    equal((await new Assay({ apiKey: liveKey, baseUrl: `${baseUrl}//` }).me()).mode, 'live', 'the response');
  },
  'whitespace around a key is ignored': async ({ baseUrl, liveKey }) => {
    equal((await new Assay({ apiKey: `${liveKey}\n`, baseUrl }).me()).mode, 'live', 'the response');
  },
  'an invalid base URL is rejected at once': async ({ liveKey }) => {
    for (const baseUrl of ['localhost:8080', 'ftp://127.0.0.1', 'https://']) {
      await expectRejection(
        Promise.resolve().then(() => new Assay({ apiKey: liveKey, baseUrl })),
        AssayError,
      );
    }
  },
  'a custom fetch is used': async ({ baseUrl, liveKey }) => {
    const urls: string[] = [];
    const ownFetch: typeof fetch = (url, request) => {
      urls.push(String(url));
      return fetch(url, request);
    };
    await new Assay({ apiKey: liveKey, baseUrl, fetch: ownFetch }).me();
    equal(urls, [`${baseUrl}/api/integrations/me`], 'what it was asked for');
  },
  'key and address are read from environment variables if the runtime has them': async ({ baseUrl, liveKey }) => {
    const { process } = globalThis as { process?: { env: Environment } };
    const withoutKey = () => Promise.resolve().then(() => new Assay({ baseUrl }));
    const error = await expectRejection(withoutKey(), AssayError);
    ok(error.message.includes('ASSAY_API_KEY'), error.message);
    if (!process) return;
    Object.assign(process.env, { ASSAY_API_KEY: liveKey, ASSAY_BASE_URL: baseUrl });
    try {
      equal((await new Assay().me()).mode, 'live', 'the response');
    } finally {
      process.env.ASSAY_API_KEY = '';
      process.env.ASSAY_BASE_URL = '';
    }
  },
  'a list is read page by page while it is iterated': async (context) => {
    const mark = randomId();
    for (let i = 0; i < 5; i += 1) await simulate(context, 0, { mark });
    const connection = openConnection(context);
    const ids: string[] = [];
    let marked = 0;
    for await (const { submissionId, metadata } of connection.simulator().submissions.list({ limit: 2 })) {
      ids.push(submissionId);
      if (metadata.mark === mark) marked += 1;
      if (marked === 5) break;
    }
    equal(new Set(ids).size, ids.length, 'how many are different');
    equal((await connection.seen()).length, Math.ceil(ids.length / 2), 'how many pages were read');
  },
  'iterating a list ends after its last item': async (context) => {
    const assay = sandboxClient(context);
    const before = new Date().toISOString();
    const ids = [await simulate(context, 0), await simulate(context, 0), await simulate(context, 0)].map(
      ({ submissionId }) => submissionId,
    );
    const seen: string[] = [];
    for await (const { submissionId } of assay.submissions.list({ createdAfter: before, limit: 1 }))
      seen.push(submissionId);
    ok(
      ids.every((id) => seen.includes(id)),
      'all are there',
    );
  },
  'awaiting a list returns one page': async (context) => {
    for (let i = 0; i < 3; i += 1) await simulate(context, 0);
    const page = await sandboxClient(context).submissions.list({ limit: 2 });
    equal([page.submissions.length, page.hasMore], [2, true], 'its length, and whether there is more');
    const next = await sandboxClient(context).submissions.list({ limit: 2, cursor: page.nextCursor ?? undefined });
    ok(next.submissions[0]?.submissionId !== page.submissions[0]?.submissionId, 'the cursor leads on');
  },
  'list filters are sent as given, and repeated for several values': async (context) => {
    const connection = openConnection(context);
    await connection.assay().submissions.list({ status: ['complete', 'failed'], limit: 3, createdBefore: undefined });
    const [{ path } = { path: '' }] = await connection.seen();
    equal(path, '/api/integrations/submissions?status=complete&status=failed&limit=3', 'what was asked');
  },
  'sidekicks can be listed, and read by id': async (context) => {
    const assay = liveClient(context);
    const ids: string[] = [];
    for await (const { sidekickId } of assay.sidekicks.list()) ids.push(sidekickId);
    ok(ids.length >= 6, `there are ${ids.length}`);
    equal((await assay.sidekicks.get(ids[0] as string)).sidekickId, ids[0], 'the first');
  },
  'sidekicks can be given by short name or id in any letter case, and ids need no extra request': async (context) => {
    const connection = openConnection(context);
    const assay = connection.assay();
    const { sidekicks } = await assay.sidekicks.list();
    const idOf = (name: string) => sidekicks.find(({ shortName }) => shortName === name)?.sidekickId as string;
    const ids = [idOf('loudness'), idOf('file-safety')];
    equal(await assay.sidekicks.resolve(ids), ids, 'the ids');
    equal((await connection.seen()).length, 1, 'how often the list was asked for');
    equal(await assay.sidekicks.resolve(['Loudness', ids[1]?.toUpperCase() as string]), ids, 'the ids of the names');
    equal((await assay.sidekicks.get('FILE-SAFETY')).sidekickId, ids[1], 'the one that was asked for');
    const sandbox = sandboxClient(context);
    const { blobPath } = await sandbox.uploads.upload(new File(['a note'], 'note.txt'));
    const body = { assets: [{ blobPath }], sidekickIds: ['file-safety'] };
    const { submissionId, assets } = await sandbox.submissions.createAndWait(body, { simulationDelaySeconds: 0 });
    const assetId = assets[0]?.assetId as string;
    const { issues } = await sandbox.issues.list(submissionId, assetId, { sidekickId: 'file-safety' });
    equal(issues, [], 'the issues');
  },
  'an unknown sidekick is rejected with a list of the known ones, before anything is submitted': async (context) => {
    const connection = openConnection(context);
    const body = { assets: [{ blobPath: 'x' }], sidekickIds: ['loudnes'] };
    const error = await expectRejection(connection.assay().submissions.create(body), AssayError);
    ok(/^Unknown sidekick: loudnes\. Known: captions, .*loudness/.test(error.message), error.message);
    equal(
      (await connection.seen()).map(({ method }) => method),
      ['GET'],
      'what was sent',
    );
  },
  'a profile can be created, read, changed, compared, selected and deleted by its name': async (context) => {
    const assay = liveClient(context);
    const name = `sdk-${randomId()}`;
    const made = await assay.profiles.create({ name, limits: { loudness: { target: -16 } } });
    equal(
      [made.revision, made.extends?.name, made.resolved.limits.loudness.target],
      [1, 'general', -16],
      'the new one',
    );
    equal((await assay.profiles.update(name, { failOn: 'CRITICAL' })).revision, 2, 'the next revision');
    equal((await assay.profiles.get(name.toUpperCase())).resolved.failOn, 'CRITICAL', 'the newest');
    equal(await assay.profiles.get(made.profileId, { revision: 1 }), made, 'the first revision');
    const { differences } = await assay.profiles.compare(name, name, { revision: 1, withRevision: 2 });
    equal(differences, [{ pointer: '/failOn', left: 'MAJOR', right: 'CRITICAL' }], 'what has changed');
    equal((await assay.profiles.compare('general', name)).differences.length, 2, 'what differs from general');
    equal((await assay.profiles.setDefault(name)).isDefault, true, 'whether it is the default');
    await assay.profiles.setDefault('general');
    const names: string[] = [];
    for await (const profile of assay.profiles.list()) names.push(profile.name);
    ok(names.includes('general') && names.includes(name), names.join());
    equal(await assay.profiles.delete(name), undefined, 'the response to a deletion');
    const error = await expectRejection(assay.profiles.get(name), AssayError);
    ok(error.message.startsWith(`Unknown profile: ${name}. Known: general, `), error.message);
  },
  'a subscription can be created, changed, tested, replayed and deleted': async (context) => {
    const assay = sandboxClient(context);
    const made = await assay.webhooks.create({
      url: 'http://127.0.0.1:1/hook',
      eventTypes: ['asset.processing.completed'],
    });
    ok(made.secret.startsWith('whsec_'), 'it has a secret');
    const { subscriptionId } = made;
    equal(
      (await assay.webhooks.update(subscriptionId, { description: 'mine' })).description,
      'mine',
      'the description',
    );
    ok((await assay.webhooks.rotateSecret(subscriptionId, { graceSeconds: 0 })).secret !== made.secret, 'a new secret');
    equal((await assay.webhooks.test(subscriptionId)).errorCode, 'connect', 'how the test went');
    const since = new Date(Date.now() - 60_000).toISOString();
    await assay.webhooks.deliveries.replayRange(subscriptionId, { since });
    for await (const { deliveryId } of assay.webhooks.deliveries.list(subscriptionId)) {
      equal((await assay.webhooks.deliveries.get(subscriptionId, deliveryId)).deliveryId, deliveryId, 'a delivery');
    }
    equal((await assay.webhooks.eventTypes()).eventTypes.length, 4, 'how many types of events there are');
    equal(await assay.webhooks.delete(subscriptionId), undefined, 'the response to a deletion');
    const left: string[] = [];
    for await (const one of assay.webhooks.list()) left.push(one.subscriptionId);
    ok(!left.includes(subscriptionId), 'it is gone');
  },
};
