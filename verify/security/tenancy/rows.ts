import { randomUUID } from 'node:crypto';
import type { RouteName } from '@assay/contract/routes.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { submit, submitAndCancel, uploadText } from '@assay/testing/service/submissions.ts';
import {
  blobPathCases,
  casesByBlobPath,
  casesByPath,
  channelCases,
  type RouteCases,
  sidekickCases,
  submissionIdCases,
  type TenancyCase,
  type TenancyRequest,
  withoutReferences,
} from './cells.ts';
import { apiWithoutWorker, fillPath, gone, home, live, own, subscriptionBody, theirs } from './fixture.ts';
import { casesOfKeyRoutes } from './key-rows.ts';
import { casesOfProfileRoutes } from './profile-rows.ts';

const submitRequest = (asset: object, rest: object = {}): TenancyRequest => {
  return (client) => client.post('/submissions', { assets: [{ blobPath: own.blobPath, ...asset }], ...rest });
};
const previousSubmissionCase = (what: string, previousSubmissionId: string): TenancyCase => ({
  what,
  ask: submitRequest({ previousSubmissionId }),
  like: submitRequest({ previousSubmissionId: randomUUID() }),
  status: 404,
  code: 'previous_submission_not_found',
});
export const fireEvent = (submissionId: string, errorMessage = 'fired'): TenancyRequest => {
  const eventType = 'asset.processing.failed';
  return (client) => client.post('/sandbox/events/fire', { eventType, submissionId, errorMessage });
};
const ticketRequest =
  (channel: string): TenancyRequest =>
  (client) =>
    client.post('/realtime/tickets', { channel });
/** Opens an event stream and reads all messages until it ends. */
const streamRequest = (channel: string): TenancyRequest => {
  return async (client) => {
    const stream = await client.open(`/realtime?channel=${encodeURIComponent(channel)}`);
    return stream.status === 200 ? { ...stream, body: await Array.fromAsync(stream.messages) } : stream;
  };
};

/** The cases of every route: a missing route does not compile. */
export const casesOfRoutes: Record<RouteName, RouteCases> = {
  createUploadUrl: withoutReferences((client) =>
    client.post('/uploads/url', { filename: 'a.mp4', contentType: 'video/mp4' }),
  ),
  renewUploadUrl: casesByBlobPath('/uploads/renew'),
  createUploadParts: casesByBlobPath('/uploads/parts', { partCount: 1 }),
  completeUploadParts: {
    ...casesByBlobPath('/uploads/parts/complete', { partCount: 1 }),
    // The file is already stored, so the response is that for a repeated request.
    own: async (client) => client.post('/uploads/parts/complete', { blobPath: await uploadText(live), partCount: 1 }),
  },
  uploadDirect: withoutReferences((client) => client.uploadFile('a.txt', 'a')),
  createSubmission: {
    own: submitRequest({}),
    references: {
      blobPath: blobPathCases((blobPath) => submitRequest({ blobPath })),
      // The first blob is the caller's, which must not grant access to the second.
      "blobPath beside the caller's own": blobPathCases((blobPath) => (client) => {
        return client.post('/submissions', { assets: [{ blobPath: own.blobPath }, { blobPath }] });
      }),
      previousSubmissionId: {
        foreign: [previousSubmissionCase('of another workspace', theirs.ids.submission_id)],
        nested: null,
        deleted: [previousSubmissionCase('deleted', gone.ids.submission_id)],
        // §4.3 defines it as a string: a value that is not a UUID is not found.
        malformed: [
          previousSubmissionCase('empty', ''),
          previousSubmissionCase('not a UUID', 'x'),
          previousSubmissionCase("the caller's asset", own.ids.asset_id),
          previousSubmissionCase("the caller's own, with a NUL", `${own.ids.submission_id}\0`),
        ],
      },
      sidekickIds: sidekickCases((id) => submitRequest({}, { sidekickIds: [id] })),
    },
    liveKeyOnSandboxOnly: {
      ask: (client) => client.post('/submissions?simulationDelaySeconds=0', { assets: [{ blobPath: own.blobPath }] }),
      status: 400,
      code: 'simulation_needs_sandbox_key',
    },
  },
  listSubmissions: withoutReferences((client) => client.get('/submissions?limit=100')),
  getSubmission: casesByPath('getSubmission'),
  deleteSubmission: {
    ...casesByPath('deleteSubmission'),
    own: async (client) => {
      const { submissionId } = await submitAndCancel(apiWithoutWorker.client(home.liveKey));
      return client.delete(fillPath('deleteSubmission', { submission_id: submissionId }));
    },
  },
  cancelSubmission: {
    ...casesByPath('cancelSubmission'),
    own: async (client) => {
      const waiting = apiWithoutWorker.client(home.liveKey);
      const { submissionId } = await submit(waiting, [await uploadText(waiting)]);
      return client.post(fillPath('cancelSubmission', { submission_id: submissionId }));
    },
  },
  retryAsset: {
    ...casesByPath('retryAsset'),
    own: async (client) => {
      const { submissionId, assets } = await submitAndCancel(apiWithoutWorker.client(home.liveKey));
      const ids = { submission_id: submissionId, asset_id: assets[0]?.assetId as string };
      return client.post(fillPath('retryAsset', ids));
    },
  },
  listVersions: casesByPath('listVersions'),
  getAsset: casesByPath('getAsset'),
  listIssues: {
    ...casesByPath('listIssues'),
    references: {
      ...casesByPath('listIssues').references,
      sidekickId: sidekickCases((id) => (client) => client.get(`${fillPath('listIssues', own.ids)}?sidekickId=${id}`)),
    },
  },
  getIssue: casesByPath('getIssue'),
  updateIssue: casesByPath('updateIssue', { status: 'ACKNOWLEDGED', note: 'seen' }),
  getEvidence: casesByPath('getEvidence'),
  getPoster: casesByPath('getPoster'),
  getMeasurements: casesByPath('getMeasurements'),
  getTopics: casesByPath('getTopics'),
  getChanges: casesByPath('getChanges'),
  listSidekicks: withoutReferences((client) => client.get('/sidekicks')),
  getSidekick: {
    own: (client) => client.get(`/sidekicks/${sidekicks[0]?.id}`),
    references: { sidekick_id: sidekickCases((id) => (client) => client.get(`/sidekicks/${id}`)) },
    liveKeyOnSandboxOnly: null,
  },
  ...casesOfProfileRoutes,
  ...casesOfKeyRoutes,
  getMe: withoutReferences((client) => client.get('/me')),
  createTicket: {
    own: ticketRequest(`submission.${own.ids.submission_id}`),
    references: { channel: channelCases(ticketRequest) },
    liveKeyOnSandboxOnly: {
      ask: ticketRequest(`webhooks.${home.workspaceId}`),
      status: 404,
      code: 'channel_not_found',
    },
  },
  openRealtime: {
    own: streamRequest(`submission.${own.ids.submission_id}`),
    references: { channel: channelCases(streamRequest) },
    liveKeyOnSandboxOnly: {
      ask: (client) => client.get(`/realtime?channel=webhooks.${home.workspaceId}`),
      status: 404,
      code: 'channel_not_found',
    },
  },
  createSubscription: withoutReferences((client) => client.post('/webhooks/subscriptions', subscriptionBody('more'))),
  listSubscriptions: withoutReferences((client) => client.get('/webhooks/subscriptions')),
  getSubscription: casesByPath('getSubscription'),
  updateSubscription: casesByPath('updateSubscription', { description: 'changed' }),
  deleteSubscription: {
    ...casesByPath('deleteSubscription'),
    own: async (client) => {
      const { body } = await live.post('/webhooks/subscriptions', subscriptionBody('soon-gone'));
      return client.delete(fillPath('deleteSubscription', { subscription_id: body.subscriptionId }));
    },
  },
  rotateSecret: casesByPath('rotateSecret'),
  testSubscription: casesByPath('testSubscription'),
  listDeliveries: casesByPath('listDeliveries'),
  getDelivery: casesByPath('getDelivery'),
  replayDelivery: casesByPath('replayDelivery'),
  replayDeliveries: casesByPath('replayDeliveries', { since: '2026-01-01T00:00:00Z', statuses: ['succeeded'] }),
  listEventTypes: withoutReferences((client) => client.get('/webhooks/event-types')),
  fireEvents: {
    own: fireEvent(own.ids.submission_id),
    references: { submissionId: submissionIdCases(fireEvent) },
    liveKeyOnSandboxOnly: { ask: fireEvent(own.ids.submission_id), status: 403, code: 'sandbox_only' },
  },
};
