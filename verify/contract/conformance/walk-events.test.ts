import { randomUUID } from 'node:crypto';
import { eventTypes } from '@assay/contract/schemas/event.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { makePdf } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { openReceiver, type Received } from '@assay/testing/service/receiver.ts';
import { submit, untilFinished } from '@assay/testing/service/submissions.ts';
import { type Subscribed, subscribe as subscribeTo, subscriptionPath } from '@assay/testing/service/webhooks.ts';
import { openContainer } from '@assay/testing/storage/blobs.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';

/** The workflow of a caller that does not poll: subscriptions, real work, then fired events, with a recording receiver. */
const api = await openTestApi({ ...liftedLimits, WORKER_QUEUES: 'control,sandbox,document,webhook' });
const receiver = await openReceiver();
afterAll(() => receiver.close());
const workspace = await api.makeWorkspace();
const live = api.client(workspace.liveKey);
const sandbox = api.client(workspace.sandboxKey);
const elsewhere = api.client((await api.makeWorkspace()).liveKey);

const [completed, failed] = eventTypes;
const fire = '/sandbox/events/fire';
/** A subscription whose events go to a path of this name. */
const subscribe = (name: string, types: string[], client: Client = live): Promise<Subscribed> =>
  subscribeTo(client, `${receiver.url}/${name}`, { eventTypes: types });
const at = subscriptionPath;

const both = await subscribe('both', [...eventTypes]);
const completedOnly = await subscribe('completed', [completed]);
const failedOnly = await subscribe('failed', [failed]);
const stopped = await subscribe('stopped', [...eventTypes]);
await live.patch(at(stopped), { isActive: false });
await subscribe('elsewhere', [...eventTypes], elsewhere);
const secrets: Record<string, string> = {
  '/both': both.secret,
  '/completed': completedOnly.secret,
  '/failed': failedOnly.secret,
};

// No worker runs yet, so that one of the two files can be removed before it is examined.
const leaflet = makePdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>');
const upload = async () => (await live.uploadFile('leaflet.pdf', leaflet)).body.blobPath as string;
const lost = await upload();
const { submissionId, assets } = await submit(live, [await upload(), lost]);
await openContainer(api.config).getBlobClient(lost).delete();
await openTestWorker(api.config);
const done = await untilFinished(live, submissionId);
const real = await receiver.until(4, ({ event }) => event.livemode === true);

/** Fires events; returns the response and every event that was received. */
async function fired(json: object): Promise<{ dispatched: number; came: Received[] }> {
  const before = new Set(receiver.received);
  const { body } = await sandbox.post(fire, { submissionId, ...json });
  const came = await receiver.until(body.dispatched, (one) => !before.has(one));
  return { dispatched: body.dispatched, came };
}
const unchanged = async () => ({
  submission: (await live.get(`/submissions/${submissionId}`)).body,
  results: await Promise.all(assets.map(async ({ assetId }) => (await live.get(assetAt(assetId))).body)),
  credits: (await live.get('/me')).body.credits,
});
const assetAt = (assetId: string) => `/submissions/${submissionId}/assets/${assetId}`;
const before = await unchanged();
const firedCompleted = await fired({ eventType: completed, errorMessage: 'of no use' });
const firedFailed = await fired({ eventType: failed });
const firedInWords = await fired({ eventType: failed, errorMessage: 'Simulated on purpose' });
const after = await unchanged();

const pathsOf = (received: Received[]) => received.map(({ path, event }) => `${path} ${event.data.asset_id}`).sort();
const every = [...real, ...firedCompleted.came, ...firedFailed.came, ...firedInWords.came];
const [good, bad] = assets.map(({ assetId }) => assetId) as [string, string];

describe('events of real work', () => {
  test('are sent for each finished asset, with the state that the API returns (§1j, §6a)', () => {
    expect(done.assets).toMatchObject([{ status: 'complete' }, { status: 'failed' }]);
    const { event } = real.find(({ path }) => path === '/completed') as Received;
    expect(event).toMatchObject({
      type: 'asset.processing.completed',
      livemode: true,
      data: {
        asset_id: good,
        submission_id: submissionId,
        workspace_id: workspace.workspaceId,
        status: 'complete',
        issue_count: done.assets[0].issueCount,
      },
    });
    expect(done.assets[0].issueCount).toBeGreaterThan(0);
  });

  test('have the documented payload for a failed asset, with its error message (§1j, §6b)', () => {
    const { event } = real.find(({ path }) => path === '/failed') as Received;
    expect(event.type).toBe('asset.processing.failed');
    expect(event.data).toMatchObject({
      asset_id: bad,
      submission_id: submissionId,
      workspace_id: workspace.workspaceId,
      status: 'failed',
      error_message: done.assets[1].errorMessage,
    });
    expect(event.data.error_message).not.toBe('');
  });

  test('go only to active subscriptions of the workspace that list their type (§6c)', () => {
    const expected = [`/both ${good}`, `/both ${bad}`, `/completed ${good}`, `/failed ${bad}`].sort();
    expect(pathsOf(receiver.received.filter(({ event }) => event.livemode))).toEqual(expected);
    for (const { path } of receiver.received) expect(['/stopped', '/elsewhere']).not.toContain(path);
  });

  test('have data in snake_case, like fired events (§2c)', () => {
    const namesIn = (data: object): string[] =>
      Object.entries(data).flatMap(([name, member]) => [
        name,
        ...(member !== null && typeof member === 'object' ? namesIn(member) : []),
      ]);
    const names = new Set(every.flatMap(({ event }) => namesIn(event.data)));
    expect(names.size).toBeGreaterThan(12);
    const others = [...names].filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name));
    expect(others.filter((name) => !severities.includes(name as never))).toEqual([]); // counts by the severity names of §2.4
  });
});

describe('fired events', () => {
  test('go to every active subscription of their type, one per asset, and are counted (§4.10a, §6c)', () => {
    const [toCompleted, toFailed] = ['completed', 'failed'].map((name) =>
      ['both', name].flatMap((path) => [`/${path} ${good}`, `/${path} ${bad}`]).sort(),
    );
    for (const [{ dispatched, came }, expected] of [
      [firedCompleted, toCompleted],
      [firedFailed, toFailed],
      [firedInWords, toFailed],
    ] as const) {
      expect(dispatched).toBe(4);
      expect(pathsOf(came)).toEqual(expected);
    }
  });

  test('have the error message of the request or the documented default, only for failures (§4.10c, §6b)', () => {
    const messages = (came: Received[]) => new Set(came.map(({ event }) => event.data.error_message));
    expect(messages(firedFailed.came)).toEqual(new Set(['Sandbox simulated failure']));
    expect(messages(firedInWords.came)).toEqual(new Set(['Simulated on purpose']));
    expect(messages(firedCompleted.came)).toEqual(new Set([undefined]));
    expect(JSON.stringify(firedCompleted.came)).not.toContain('of no use');
  });

  test('cause no processing and cost no credit (§1h, §4.10d)', () => {
    expect(after).toEqual(before);
    expect(before.credits.used).toBe(1); // for the real submission
  });

  test('are signed, have the same members and appear in the history like real events (§6e)', async () => {
    for (const { path, body, headers } of every) new Webhook(secrets[path] as string).verify(body, headers);
    for (const type of eventTypes) {
      const ofType = every.filter(({ event }) => event.type === type).map(({ event }) => event);
      const shapes = ofType.map((event) => [Object.keys(event), Object.keys(event.data)]);
      expect(new Set(ofType.map(({ livemode }) => livemode))).toEqual(new Set([true, false]));
      for (const shape of shapes) expect(shape).toEqual(shapes[0]);
    }
    const { body } = await live.get(`${at(both)}/deliveries`);
    const told = every.filter(({ path }) => path === '/both').map(({ event }) => event.id);
    expect(body.deliveries.map(({ eventId }: { eventId: string }) => eventId).sort()).toEqual(told.sort());
  });

  test('are refused: 403 with a live key, 404 for an unknown submission, 422 for an invalid body (§4.10b, §5f, §7i)', async () => {
    const json = { eventType: completed, submissionId };
    expect(await live.post(fire, json)).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
    const unknown = await sandbox.post(fire, { ...json, submissionId: randomUUID() });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'submission_not_found' } });
    for (const wrong of [
      {},
      { submissionId },
      { ...json, eventType: 'asset.created' },
      { ...json, submissionId: '1' },
    ]) {
      expect((await sandbox.post(fire, wrong)).status).toBe(422);
    }
  });
});

describe('subscriptions', () => {
  test('have event types, a history and an active flag (§2.5f)', async () => {
    const { body: active } = await live.get(at(both));
    expect(active).toMatchObject({ eventTypes: [completed, failed], isActive: true });
    const { body: history } = await live.get(`${at(both)}/deliveries`);
    expect(history.deliveries).toHaveLength(8);
    expect((await live.get(at(stopped))).body).toMatchObject({ isActive: false });
    expect((await live.get(`${at(stopped)}/deliveries`)).body.deliveries).toEqual([]);
  });

  test('can be created, listed, updated and deleted, and their history can be read (§4.11a)', async () => {
    const listed = async () =>
      (await live.get('/webhooks/subscriptions')).body.subscriptions.map((one: Subscribed) => one.subscriptionId);
    const made = await subscribe('passing', [failed]);
    expect(await listed()).toContain(made.subscriptionId);
    const { body: updated } = await live.patch(at(made), { eventTypes: [completed] });
    expect(updated).toMatchObject({ eventTypes: [completed] });
    await fired({ eventType: completed });
    const { body: history } = await live.get(`${at(made)}/deliveries`);
    expect(history.deliveries).toMatchObject([{ eventType: completed }, { eventType: completed }]);
    const { body: one } = await live.get(`${at(made)}/deliveries/${history.deliveries[0].deliveryId}`);
    expect(one).toMatchObject({ payload: { type: completed }, attempts: expect.any(Array) });
    expect((await live.delete(at(made))).status).toBe(204);
    expect(await listed()).not.toContain(made.subscriptionId);
    expect((await live.get(`${at(made)}/deliveries`)).status).toBe(404);
  });
});
