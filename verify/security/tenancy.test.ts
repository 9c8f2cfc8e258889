import { randomUUID } from 'node:crypto';
import { idParamsOf, isOneFile, type Route } from '@assay/contract/route.ts';
import { type RouteName, routeNames, routes } from '@assay/contract/routes.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { Answer, Client, Message } from '@assay/testing/service/client.ts';
import { submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import {
  type Ask,
  blobPathCells,
  byBlobPath,
  byPath,
  type Cell,
  chainOf,
  channelCells,
  globalCells,
  type Row,
  submissionIdCells,
  withoutReference,
} from './tenancy/cells.ts';
import {
  api,
  fillPath,
  foreignTexts,
  gone,
  home,
  type Ids,
  idle,
  live,
  other,
  own,
  receiver,
  sandbox,
  strange,
  stranger,
  subscribing,
  survivor,
  theirs,
} from './tenancy/fixture.ts';
import { profileRows } from './tenancy/profile-rows.ts';

const submitting = (asset: object, rest: object = {}): Ask => {
  return (client) => client.post('/submissions', { assets: [{ blobPath: own.blobPath, ...asset }], ...rest });
};
const previousCell = (what: string, previousSubmissionId: string): Cell => ({
  what,
  ask: submitting({ previousSubmissionId }),
  like: submitting({ previousSubmissionId: randomUUID() }),
  status: 404,
  code: 'previous_submission_not_found',
});
const firing = (submissionId: string, errorMessage = 'fired'): Ask => {
  const eventType = 'asset.processing.failed';
  return (client) => client.post('/sandbox/events/fire', { eventType, submissionId, errorMessage });
};
const asking =
  (channel: string): Ask =>
  (client) =>
    client.post('/realtime/tickets', { channel });
/** Opens an event stream and reads all messages until it ends. */
const following = (channel: string): Ask => {
  return async (client) => {
    const stream = await client.open(`/realtime?channel=${encodeURIComponent(channel)}`);
    return stream.status === 200 ? { ...stream, body: await Array.fromAsync(stream.messages) } : stream;
  };
};

const rows: Record<RouteName, Row> = {
  createUploadUrl: withoutReference((client) =>
    client.post('/uploads/url', { filename: 'a.mp4', contentType: 'video/mp4' }),
  ),
  renewUploadUrl: byBlobPath('/uploads/renew'),
  createUploadParts: byBlobPath('/uploads/parts', { partCount: 1 }),
  completeUploadParts: {
    ...byBlobPath('/uploads/parts/complete', { partCount: 1 }),
    // The file is already stored: the response is that of a repeated request.
    own: async (client) => client.post('/uploads/parts/complete', { blobPath: await uploadText(live), partCount: 1 }),
  },
  uploadDirect: withoutReference((client) => client.uploadFile('a.txt', 'a')),
  createSubmission: {
    own: submitting({}),
    references: {
      blobPath: blobPathCells((blobPath) => submitting({ blobPath })),
      // The first blob is the caller's, which must not grant access to the second.
      'blobPath beside an own one': blobPathCells((blobPath) => (client) => {
        return client.post('/submissions', { assets: [{ blobPath: own.blobPath }, { blobPath }] });
      }),
      previousSubmissionId: {
        anothers: [previousCell('another’s', theirs.ids.submission_id)],
        nested: null,
        deleted: [previousCell('deleted', gone.ids.submission_id)],
        // §4.3 defines it as a string: a value that is not a UUID is not found.
        malformed: [
          previousCell('empty', ''),
          previousCell('no uuid', 'x'),
          previousCell('an own asset', own.ids.asset_id),
          previousCell('an own one and a NUL', `${own.ids.submission_id}\0`),
        ],
      },
      sidekickIds: globalCells((id) => submitting({}, { sidekickIds: [id] })),
    },
    liveKeyOnSandboxOnly: {
      ask: (client) => client.post('/submissions?simulationDelaySeconds=0', { assets: [{ blobPath: own.blobPath }] }),
      status: 400,
      code: 'simulation_needs_sandbox_key',
    },
  },
  listSubmissions: withoutReference((client) => client.get('/submissions?limit=100')),
  getSubmission: byPath('getSubmission'),
  deleteSubmission: {
    ...byPath('deleteSubmission'),
    own: async (client) => {
      const { submissionId } = await submitAndCancel(idle.client(home.liveKey));
      return client.delete(fillPath('deleteSubmission', { submission_id: submissionId }));
    },
  },
  cancelSubmission: {
    ...byPath('cancelSubmission'),
    own: async (client) => {
      const waiting = idle.client(home.liveKey);
      const { submissionId } = await submit(waiting, [await uploadText(waiting)]);
      return client.post(fillPath('cancelSubmission', { submission_id: submissionId }));
    },
  },
  retryAsset: {
    ...byPath('retryAsset'),
    own: async (client) => {
      const { submissionId, assets } = await submitAndCancel(idle.client(home.liveKey));
      const ids = { submission_id: submissionId, asset_id: assets[0]?.assetId as string };
      return client.post(fillPath('retryAsset', ids));
    },
  },
  listVersions: byPath('listVersions'),
  getAsset: byPath('getAsset'),
  listIssues: {
    ...byPath('listIssues'),
    references: {
      ...byPath('listIssues').references,
      sidekickId: globalCells((id) => (client) => client.get(`${fillPath('listIssues', own.ids)}?sidekickId=${id}`)),
    },
  },
  getIssue: byPath('getIssue'),
  updateIssue: byPath('updateIssue', { status: 'ACKNOWLEDGED', note: 'seen' }),
  getEvidence: byPath('getEvidence'),
  getMeasurements: byPath('getMeasurements'),
  getTopics: byPath('getTopics'),
  getChanges: byPath('getChanges'),
  listSidekicks: withoutReference((client) => client.get('/sidekicks')),
  getSidekick: {
    own: (client) => client.get(`/sidekicks/${sidekicks[0]?.id}`),
    references: { sidekick_id: globalCells((id) => (client) => client.get(`/sidekicks/${id}`)) },
    liveKeyOnSandboxOnly: null,
  },
  ...profileRows,
  getMe: withoutReference((client) => client.get('/me')),
  createTicket: {
    own: asking(`submission.${own.ids.submission_id}`),
    references: { channel: channelCells(asking) },
    liveKeyOnSandboxOnly: {
      ask: asking(`webhooks.${home.workspaceId}`),
      status: 404,
      code: 'channel_not_found',
    },
  },
  openRealtime: {
    own: following(`submission.${own.ids.submission_id}`),
    references: { channel: channelCells(following) },
    liveKeyOnSandboxOnly: {
      ask: (client) => client.get(`/realtime?channel=webhooks.${home.workspaceId}`),
      status: 404,
      code: 'channel_not_found',
    },
  },
  createSubscription: withoutReference((client) => client.post('/webhooks/subscriptions', subscribing('more'))),
  listSubscriptions: withoutReference((client) => client.get('/webhooks/subscriptions')),
  getSubscription: byPath('getSubscription'),
  updateSubscription: byPath('updateSubscription', { description: 'changed' }),
  deleteSubscription: {
    ...byPath('deleteSubscription'),
    own: async (client) => {
      const { body } = await live.post('/webhooks/subscriptions', subscribing('soon-gone'));
      return client.delete(fillPath('deleteSubscription', { subscription_id: body.subscriptionId }));
    },
  },
  rotateSecret: byPath('rotateSecret'),
  testSubscription: byPath('testSubscription'),
  listDeliveries: byPath('listDeliveries'),
  getDelivery: byPath('getDelivery'),
  replayDelivery: byPath('replayDelivery'),
  replayDeliveries: byPath('replayDeliveries', { since: '2026-01-01T00:00:00Z', statuses: ['succeeded'] }),
  listEventTypes: withoutReference((client) => client.get('/webhooks/event-types')),
  fireEvents: {
    own: firing(own.ids.submission_id),
    references: { submissionId: submissionIdCells(firing) },
    liveKeyOnSandboxOnly: { ask: firing(own.ids.submission_id), status: 403, code: 'sandbox_only' },
  },
};

/** Names of references in a request: path parameters, and members of query and body named like an id or a path. */
function referencesOf(route: Route): Set<string> {
  const schemas = [route.query, isOneFile(route.body) ? undefined : route.body];
  const members = schemas.flatMap((schema) =>
    memberNames(schema?.toJSONSchema({ io: 'input', unrepresentable: 'any' })),
  );
  const named = members.filter((name) => /(Id|Ids|Path|Paths)$|^channel$/.test(name));
  return new Set([...idParamsOf(route), ...named]);
}

function memberNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(memberNames)];
}

function withoutRequestIds({ status, headers, body }: Answer) {
  const { date, 'x-request-id': _, ...rest } = Object.fromEntries(headers);
  const { requestId, instance, ...problem } = body;
  return { status, headers: rest, body: problem };
}

function leaksIn(answer: Answer): string[] {
  const text = JSON.stringify(withoutRequestIds(answer));
  return foreignTexts.filter((word) => text.includes(word));
}

describe('the tenancy test cases', () => {
  test.each(routeNames)('of %s cover every reference to a resource in its request', (name) => {
    const { references, liveKeyOnSandboxOnly } = rows[name];
    expect(new Set(Object.keys(references).map((key) => key.split(' ')[0]))).toEqual(referencesOf(routes[name]));
    for (const [reference, { anothers, nested, deleted, malformed }] of Object.entries(references)) {
      const isOfWorkspace = !/^sidekick/.test(reference);
      const isBelowAnother = chainOf(name).indexOf(reference as keyof Ids) > 0;
      expect(malformed.length).toBeGreaterThan(0);
      for (const cells of [anothers, deleted]) expect((cells?.length ?? 0) > 0).toBe(isOfWorkspace);
      if (isBelowAnother) expect(nested?.length).toBeGreaterThan(0);
    }
    const { sandboxQuery, isSandboxOnly }: Route = routes[name];
    const hasSandboxOnly =
      sandboxQuery !== undefined || isSandboxOnly === true || ['openRealtime', 'createTicket'].includes(name);
    expect(liveKeyOnSandboxOnly !== null).toBe(hasSandboxOnly);
  });
});

describe.each(routeNames)('%s', (name) => {
  const { own: askOwn, references, liveKeyOnSandboxOnly } = rows[name];
  const { isSandboxOnly }: Route = routes[name];
  const [usual, unusual] = isSandboxOnly ? [sandbox, live] : [live, sandbox];

  test('a request for the own workspace succeeds and returns nothing of another workspace (§1i)', async () => {
    const answer = await askOwn(usual);
    expect(answer.status).toBe(routes[name].success.status);
    expect(leaksIn(answer)).toEqual([]);
  });

  const cells = Object.entries(references).flatMap(([reference, columns]) =>
    Object.entries(columns).flatMap(([column, list]) => (list ?? []).map((cell) => ({ reference, column, ...cell }))),
  );
  test.each(cells)(
    '$reference ($column: $what) is refused as unknown (§1i)',
    async ({ ask, like, status, code, pointer }) => {
      const answer = await ask(usual);
      expect(answer).toMatchObject({ status, body: { code, ...(pointer && { errors: [{ pointer }] }) } });
      expect(withoutRequestIds(answer)).toEqual(withoutRequestIds(await like(usual)));
      expect(leaksIn(answer)).toEqual([]);
      // The other key may be refused for another reason, but never for one that reveals that the resource exists.
      const otherwise = await ask(unusual);
      expect(withoutRequestIds(otherwise)).toEqual(withoutRequestIds(await like(unusual)));
      expect(leaksIn(otherwise)).toEqual([]);
    },
  );

  test.each([liveKeyOnSandboxOnly].filter((cell) => cell !== null))(
    'a live key on a sandbox-only endpoint is refused with $code',
    async ({ ask, status, code }) => {
      expect(await ask(live)).toMatchObject({ status, body: { code } });
      expect((await ask(sandbox)).status).toBe(routes[name].success.status);
    },
  );
});

/** Writes with a sandbox key that change nothing live, even if they refer to it. */
const harmlessWrites: Partial<Record<RouteName, { status: number; code?: string }>> = {
  createUploadUrl: { status: 200 },
  uploadDirect: { status: 201 },
  createSubmission: { status: 201 }, // a simulated run of a live upload
  createSubscription: { status: 201 },
  createProfile: { status: 201 }, // changes no other profile
  fireEvents: { status: 200 }, // §4.10: for any submission of the workspace
  retryAsset: { status: 409, code: 'asset_not_retryable' }, // §4.8 knows no 403
  createTicket: { status: 201 }, // only for reading
};

describe('a sandbox key on a live resource', () => {
  test.each(routeNames)('may call %s only if that changes nothing live', async (name) => {
    const { refusals: codes, method, success }: Route = routes[name];
    const answer = await rows[name].own(sandbox);
    const refusal = codes.find((code) => code.startsWith('live_'));
    if (refusal) expect(answer).toMatchObject({ status: 403, body: { code: refusal } });
    else if (method === 'GET') expect(answer.status).toBe(success.status);
    else {
      const { status, code } = harmlessWrites[name] ?? {};
      expect(answer.status).toBe(status);
      if (code) expect(answer.body.code).toBe(code);
    }
  });
});

describe('requests without a reference stay within the workspace', () => {
  test.each([
    ['submissions', '/submissions', 'submissionId', 'submission_id'],
    ['subscriptions', '/webhooks/subscriptions', 'subscriptionId', 'subscription_id'],
  ] as const)('the pages of %s contain only those of the own workspace (§1i)', async (list, path, member, param) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: Answer = await live.get(`${path}?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(leaksIn(answer)).toEqual([]);
      seen.push(...answer.body[list].map((one: Record<string, string>) => one[member]));
      cursor = answer.body.nextCursor;
    }
    expect(seen).toEqual(expect.arrayContaining([own.ids[param], other.ids[param]]));
    expect(seen).not.toContain(gone.ids[param]);
  });

  test.each([
    '/submissions',
    fillPath('listVersions', theirs.ids),
    fillPath('listIssues', theirs.ids),
    '/webhooks/subscriptions',
    fillPath('listDeliveries', theirs.ids),
  ])('a cursor of another workspace for %s returns nothing of that workspace', async (path) => {
    const { body } = await stranger.get(`${path}?limit=1`);
    expect(body.nextCursor).toEqual(expect.any(String));
    const ownPath = Object.entries(theirs.ids).reduce(
      (asked, [param, id]) => asked.replace(id, own.ids[param as keyof Ids]),
      path,
    );
    expect(leaksIn(await live.get(`${ownPath}?cursor=${body.nextCursor}`))).toEqual([]);
  });

  test.each([
    ['/submissions', 'submissionId', async (client: Client) => ({ assets: [{ blobPath: await uploadText(client) }] })],
    ['/webhooks/subscriptions', 'secret', async () => subscribing('twice')],
  ] as const)('on %s, an Idempotency-Key of another workspace counts as unused', async (path, member, makeBody) => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await stranger.post(path, await makeBody(stranger), { headers });
    const second = await live.post(path, await makeBody(live), { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.has('idempotency-replayed')).toBe(false);
    expect(second.body[member]).not.toBe(first.body[member]);
  });

  test('an event goes only to the subscriptions and the event stream of its own workspace (§1i)', async () => {
    const stream = await sandbox.open(`/realtime?channel=webhooks.${home.workspaceId}`);
    const theirEvents = `their-secret ${randomUUID()}`;
    const ownEvents = `own ${randomUUID()}`;
    // The events of the other workspace are fired first: a leak would show when the events of the own workspace arrive.
    const { body: theirBody } = await firing(theirs.ids.submission_id, theirEvents)(api.client(strange.sandboxKey));
    const { body } = await firing(own.ids.submission_id, ownEvents)(sandbox);
    const streamed: Message[] = [];
    const isFired = ({ data }: Message) => data.data.error_message === ownEvents;
    for await (const message of stream.messages)
      if (streamed.push(message) && streamed.filter(isFired).length === 2) break;
    await stream.close();
    for (const { data } of streamed) expect(data.data.workspace_id).toBe(home.workspaceId);
    const told = (count: number, message: string) =>
      receiver.until(count, ({ event }) => event.data.error_message === message);
    for (const { path } of await told(body.dispatched, ownEvents)) expect(path).not.toMatch(/their/);
    for (const { path } of await told(theirBody.dispatched, theirEvents)) expect(path).toMatch(/their|twice/);
  });

  test('a subscription is unchanged after another workspace tries to change, stop or delete it or rotate its secret', async () => {
    const read = async () => (await stranger.get(fillPath('getSubscription', theirs.ids))).body;
    const { updatedAt, isActive, url } = await read();
    for (const client of [live, sandbox]) {
      await client.patch(fillPath('updateSubscription', theirs.ids), { isActive: false, url: `${receiver.url}/own` });
      await client.delete(fillPath('deleteSubscription', theirs.ids));
      await client.post(fillPath('rotateSecret', theirs.ids));
    }
    expect(await read()).toMatchObject({ updatedAt, isActive, url });
  });

  test('a refused decision on an issue of another workspace changes nothing there', async () => {
    const path = fillPath('listIssues', theirs.ids);
    const { body: before } = await stranger.get(path);
    for (const client of [live, sandbox]) {
      await client.patch(fillPath('updateIssue', theirs.ids), { status: 'RESOLVED' });
      await client.patch(fillPath('updateIssue', { ...theirs.ids, ...own.ids, issue_id: theirs.ids.issue_id }), {
        status: 'RESOLVED',
      });
    }
    expect((await stranger.get(path)).body).toEqual(before);
  });

  test('a deleted version is not listed and is not compared', async () => {
    const { body } = await live.get(fillPath('listVersions', survivor.ids));
    const submissions = body.versions.map((version: { submissionId: string }) => version.submissionId);
    expect(new Set(submissions)).toEqual(new Set([survivor.ids.submission_id]));
    expect((await live.get(fillPath('getChanges', survivor.ids))).body).toMatchObject({ previous: null });
  });
});
