import { randomUUID } from 'node:crypto';
import { type Scope, scopes, usualScopes } from '@assay/contract/rights.ts';
import { idParamsOf, isOneFile, type Route } from '@assay/contract/route.ts';
import { type RouteName, routeNames, routes } from '@assay/contract/routes.ts';
import type { ApiResponse, Client, Message } from '@assay/testing/service/client.ts';
import { uploadText } from '@assay/testing/service/submissions.ts';
import { describe, expect, test } from 'vitest';
import { pathIdsOf } from './tenancy/cells.ts';
import {
  api,
  clientWith,
  fillPath,
  foreignTexts,
  gone,
  home,
  type Ids,
  live,
  other,
  own,
  receiver,
  sandbox,
  stranger,
  subscriptionBody,
  survivor,
  theirHome,
  theirs,
} from './tenancy/fixture.ts';
import { casesOfRoutes, fireEvent } from './tenancy/rows.ts';

/** Lists the references in a request: path parameters, and members of query and body named like an id or a path. */
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

function withoutRequestIds({ status, headers, body }: ApiResponse) {
  const { date, 'x-request-id': _, ...rest } = Object.fromEntries(headers);
  const { requestId, instance, ...problem } = body;
  return { status, headers: rest, body: problem };
}

function leaksIn(response: ApiResponse): string[] {
  const text = JSON.stringify(withoutRequestIds(response));
  return foreignTexts.filter((word) => text.includes(word));
}

describe('the tenancy test cases', () => {
  test.each(routeNames)('for %s cover every reference to a resource in its request', (name) => {
    const { references, liveKeyOnSandboxOnly } = casesOfRoutes[name];
    expect(new Set(Object.keys(references).map((key) => key.split(' ')[0]))).toEqual(referencesOf(routes[name]));
    for (const [reference, { foreign, nested, deleted, malformed }] of Object.entries(references)) {
      const isOfWorkspace = !/^sidekick/.test(reference);
      const isBelowAnother = pathIdsOf(name).indexOf(reference as keyof Ids) > 0;
      expect(malformed.length).toBeGreaterThan(0);
      expect((foreign?.length ?? 0) > 0).toBe(isOfWorkspace);
      expect((deleted?.length ?? 0) > 0).toBe(isOfWorkspace && reference !== 'key_id');
      if (isBelowAnother) expect(nested?.length).toBeGreaterThan(0);
    }
    const { sandboxQuery, isSandboxOnly }: Route = routes[name];
    const hasSandboxOnly =
      sandboxQuery !== undefined || isSandboxOnly === true || ['openRealtime', 'createTicket'].includes(name);
    expect(liveKeyOnSandboxOnly !== null).toBe(hasSandboxOnly);
  });
});

describe.each(routeNames)('%s', (name) => {
  const { own: askOwn, references, liveKeyOnSandboxOnly } = casesOfRoutes[name];
  const { isSandboxOnly }: Route = routes[name];
  const [usual, unusual] = isSandboxOnly ? [sandbox, live] : [live, sandbox];

  test("a request for the caller's own workspace succeeds and returns no data from another workspace (§1i)", async () => {
    const response = await askOwn(usual);
    expect(response.status).toBe(routes[name].success.status);
    expect(leaksIn(response)).toEqual([]);
  });

  const cells = Object.entries(references).flatMap(([reference, columns]) =>
    Object.entries(columns).flatMap(([column, list]) => (list ?? []).map((cell) => ({ reference, column, ...cell }))),
  );
  test.each(cells)(
    '$reference ($column: $what) is refused as unknown (§1i)',
    async ({ ask, like, status, code, pointer }) => {
      const response = await ask(usual);
      expect(response).toMatchObject({ status, body: { code, ...(pointer && { errors: [{ pointer }] }) } });
      expect(withoutRequestIds(response)).toEqual(withoutRequestIds(await like(usual)));
      expect(leaksIn(response)).toEqual([]);
      // The other key may be refused for a different reason, but never for one that reveals that the resource exists.
      const otherwise = await ask(unusual);
      expect(withoutRequestIds(otherwise)).toEqual(withoutRequestIds(await like(unusual)));
      expect(leaksIn(otherwise)).toEqual([]);
    },
  );

  test.each([liveKeyOnSandboxOnly].filter((cell) => cell !== null))(
    'a live key is refused with $code for what only a sandbox key may do',
    async ({ ask, status, code }) => {
      expect(await ask(live)).toMatchObject({ status, body: { code } });
      expect((await ask(sandbox)).status).toBe(routes[name].success.status);
    },
  );
});

/** Who creates or extends a key needs the scopes of that key too. */
const grantable = (scope: Scope): Scope[] => (scope === 'manage' ? ['manage', ...usualScopes] : [scope]);
const unknownIds = Object.fromEntries(Object.keys(own.ids).map((param) => [param, randomUUID()])) as Ids;

describe('the scopes of a key', () => {
  test.each(routeNames)('%s succeeds with a key that has only its scope', async (name) => {
    const { scope, isSandboxOnly, success }: Route = routes[name];
    const client = await clientWith(home, isSandboxOnly ? 'sandbox' : 'live', grantable(scope ?? 'read'));
    expect((await casesOfRoutes[name].own(client)).status).toBe(success.status);
  });

  test.each(scopes)('a key with only the scope %s is refused by every route of another scope', async (scope) => {
    const client = await clientWith(home, 'live', [scope]);
    for (const name of routeNames) {
      const { method, scope: needed }: Route = routes[name];
      const ask = (ids: Ids) => client.send(method, fillPath(name, ids));
      if (needed === null || needed === scope) {
        expect((await ask(unknownIds)).body.code, name).not.toBe('insufficient_scope');
      } else {
        const response = await ask(own.ids);
        expect(response, name).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
        expect(withoutRequestIds(await ask(theirs.ids)), name).toEqual(withoutRequestIds(response));
      }
    }
  });
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
  createTicket: { status: 201 }, // a ticket allows only reading
};

describe('a sandbox key used on live resources', () => {
  test.each(routeNames)('cannot change live data through %s', async (name) => {
    const { refusals: codes, method, success }: Route = routes[name];
    const response = await casesOfRoutes[name].own(sandbox);
    const refusal = codes.find((code) => code.startsWith('live_'));
    if (refusal) expect(response).toMatchObject({ status: 403, body: { code: refusal } });
    else if (method === 'GET') expect(response.status).toBe(success.status);
    else {
      const { status, code } = harmlessWrites[name] ?? {};
      expect(response.status).toBe(status);
      if (code) expect(response.body.code).toBe(code);
    }
  });
});

describe('isolation between workspaces', () => {
  test.each([
    ['submissions', '/submissions', 'submissionId', 'submission_id'],
    ['subscriptions', '/webhooks/subscriptions', 'subscriptionId', 'subscription_id'],
  ] as const)('the pages of %s contain no data from another workspace (§1i)', async (list, path, member, param) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const response: ApiResponse = await live.get(`${path}?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(leaksIn(response)).toEqual([]);
      seen.push(...response.body[list].map((one: Record<string, string>) => one[member]));
      cursor = response.body.nextCursor;
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
  ])('a cursor from another workspace for %s returns no data from that workspace', async (path) => {
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
    ['/webhooks/subscriptions', 'secret', async () => subscriptionBody('twice')],
  ] as const)('an Idempotency-Key of another workspace counts as unused on %s', async (path, member, makeBody) => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await stranger.post(path, await makeBody(stranger), { headers });
    const second = await live.post(path, await makeBody(live), { headers });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.has('idempotency-replayed')).toBe(false);
    expect(second.body[member]).not.toBe(first.body[member]);
  });

  test('an event is sent only to the subscriptions and the event stream of its own workspace (§1i)', async () => {
    const stream = await sandbox.open(`/realtime?channel=webhooks.${home.workspaceId}`);
    const theirText = `their-secret ${randomUUID()}`;
    const ownText = `own ${randomUUID()}`;
    // The other workspace's events are fired first: a leak would show by the time the caller's own events arrive.
    const { body: theirBody } = await fireEvent(theirs.ids.submission_id, theirText)(api.client(theirHome.sandboxKey));
    const { body } = await fireEvent(own.ids.submission_id, ownText)(sandbox);
    const streamed: Message[] = [];
    const isFired = ({ data }: Message) => data.data.error_message === ownText;
    for await (const message of stream.messages)
      if (streamed.push(message) && streamed.filter(isFired).length === 2) break;
    await stream.close();
    for (const { data } of streamed) expect(data.data.workspace_id).toBe(home.workspaceId);
    const told = (count: number, message: string) =>
      receiver.until(count, ({ event }) => event.data.error_message === message);
    for (const { path } of await told(body.dispatched, ownText)) expect(path).not.toMatch(/their/);
    for (const { path } of await told(theirBody.dispatched, theirText)) expect(path).toMatch(/their|twice/);
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

  test('an issue is unchanged after another workspace tries to change its status', async () => {
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

  test('a deleted version is neither listed nor compared', async () => {
    const { body } = await live.get(fillPath('listVersions', survivor.ids));
    const submissions = body.versions.map((version: { submissionId: string }) => version.submissionId);
    expect(new Set(submissions)).toEqual(new Set([survivor.ids.submission_id]));
    expect((await live.get(fillPath('getChanges', survivor.ids))).body).toMatchObject({ previous: null });
  });
});
