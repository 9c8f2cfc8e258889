import { describe, expect, test } from 'vitest';
import { type Role, type Scope, scopes, usualScopes } from './rights.ts';
import type { Route } from './route.ts';
import { type RouteName, routeNames, routes } from './routes.ts';

const reads: RouteName[] = [
  ...([
    'listSubmissions',
    'getSubmission',
    'listVersions',
    'getAsset',
    'listIssues',
    'getIssue',
    'getEvidence',
    'getPoster',
  ] as const),
  ...(['getMeasurements', 'getTopics', 'getChanges', 'openRealtime', 'createTicket', 'listSidekicks'] as const),
  ...(['getSidekick', 'listProfiles', 'getProfile', 'compareProfiles'] as const),
];
const submits: RouteName[] = [
  ...(['createUploadUrl', 'renewUploadUrl', 'createUploadParts', 'completeUploadParts', 'uploadDirect'] as const),
  ...(['createSubmission', 'cancelSubmission', 'retryAsset'] as const),
];
const profileChanges: RouteName[] = ['createProfile', 'updateProfile', 'deleteProfile'];
const webhooks: RouteName[] = [
  ...([
    'createSubscription',
    'listSubscriptions',
    'getSubscription',
    'updateSubscription',
    'deleteSubscription',
  ] as const),
  ...(['rotateSecret', 'testSubscription', 'listDeliveries', 'getDelivery', 'replayDelivery'] as const),
  ...(['replayDeliveries', 'listEventTypes', 'fireEvents'] as const),
];
const keys: RouteName[] = ['listKeys', 'createKey', 'getKey', 'updateKey', 'revokeKey'];

/** Written out, so that a route in the wrong place of the route table is found. */
const byScope: Record<Scope, RouteName[]> = {
  read: reads,
  submit: [...submits, 'deleteSubmission'],
  decide: ['updateIssue'],
  webhooks,
  profiles: profileChanges,
  manage: keys,
};
const byRole: Record<Role, RouteName[]> = {
  viewer: [...reads, 'getMe'],
  reviewer: [...submits, 'updateIssue'],
  manager: [...profileChanges, ...webhooks, ...keys, 'deleteSubmission'],
  admin: [],
};

const namesOf = (isMeant: (route: Route) => boolean) => routeNames.filter((name) => isMeant(routes[name])).sort();

describe('the rights in the route table', () => {
  test.each(Object.entries(byScope))('the scope %s permits exactly the routes that it is for', (scope, names) => {
    expect(namesOf((route) => route.scope === scope)).toEqual(names.toSorted());
  });

  test('only GET /me needs no scope', () => {
    expect(namesOf(({ scope }) => scope === null)).toEqual(['getMe']);
  });

  test.each(Object.entries(byRole))(
    'the role %s is the lowest for exactly the routes that it is for',
    (role, names) => {
      expect(namesOf((route) => route.role === role)).toEqual(names.toSorted());
    },
  );

  test('a route that changes something other than uploads and new submissions is in the audit log', () => {
    const changesNothing: RouteName[] = ['createTicket', 'testSubscription', 'fireEvents', 'createSubmission'];
    const isChange = (name: RouteName) =>
      routes[name].method !== 'GET' && routes[name].bucket !== 'upload' && !changesNothing.includes(name);
    expect(namesOf(({ audit }) => audit !== null)).toEqual(routeNames.filter(isChange).sort());
  });

  test('a key that was created without scopes has all except manage', () => {
    expect([...usualScopes, 'manage']).toEqual([...scopes]);
  });
});
