import { Agent, request } from 'node:http';
import { exampleBlobPath, exampleSubmissionId } from '@assay/contract/schemas/examples.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { afterAll } from 'vitest';
import type { HostileRequest } from './hostile-request.ts';
import type { ExistingResources } from './hostile-requests.ts';

const { makeWorkspace } = await openTestApi();

/** Starts an API process that measures how long its event loop is busy, and fills a workspace with resources. */
export async function openMeasuredService(overrides: Record<string, string>) {
  const { promise: probeUrl, resolve } = Promise.withResolvers<string>();
  const settings = { TRUSTED_PROXIES: '127.0.0.1', CORS_ORIGINS: 'https://console.example.com', ...overrides };
  const service = await startServerProcess('api', testEnvironment({ ...liftedLimits, ...settings }), {
    preload: new URL('busy-probe.ts', import.meta.url).href,
    onEntry: ({ msg, url }) => {
      if (msg === 'probe is up') resolve(url as string);
    },
  });
  afterAll(() => service.stop());
  const { workspaceId, sandboxKey } = await makeWorkspace();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => agent.destroy());
  return {
    existing: await fillWorkspace(createClient(service.url, sandboxKey), workspaceId),
    /**
     * Sends a request and resolves with the status, or with undefined if the connection was closed, as for a body that
     * is too long.
     */
    send: (hostile: HostileRequest) => send(service.url, agent, sandboxKey, hostile),
    /** The longest time for which the event loop was busy since the previous call, in milliseconds of CPU time. */
    takeBusyMillis: async (): Promise<number> => (await fetch(await probeUrl)).json() as Promise<number>,
  };
}

async function fillWorkspace(client: ReturnType<typeof createClient>, workspaceId: string): Promise<ExistingResources> {
  const blobPath = await uploadText(client);
  const { submissionId, assets } = await submit(client, [blobPath]);
  const url = 'http://127.0.0.1:9/hooks.json'; // nothing listens there
  const eventType = 'asset.processing.completed';
  const { body: subscription } = await client.post('/webhooks/subscriptions', { url, eventTypes: [eventType] });
  await client.post('/sandbox/events/fire', { eventType, submissionId });
  const { subscriptionId } = subscription;
  const { body: list } = await client.get(`/webhooks/subscriptions/${subscriptionId}/deliveries`);
  const { body: profile } = await client.post('/profiles', { name: 'ours' });
  const { body: checks } = await client.get('/sidekicks');
  return {
    // There is no issue id, because without a worker there are no issues.
    ids: {
      submission_id: submissionId,
      asset_id: assets[0]?.assetId as string,
      sidekick_id: checks.sidekicks[0].sidekickId,
      profile_id: profile.profileId,
      subscription_id: subscriptionId,
      delivery_id: list.deliveries[0].deliveryId,
    },
    query: { channel: `webhooks.${workspaceId}`, with: 'general' },
    byExample: { [exampleBlobPath]: blobPath, [exampleSubmissionId]: submissionId },
  };
}

function send(origin: string, agent: Agent, key: string, hostile: HostileRequest): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const body = hostile.body?.() ?? Buffer.alloc(0);
  const headers = { 'x-api-key': key, ...hostile.headers, 'content-length': body.length };
  const { hostname, port } = new URL(origin);
  // Not with `fetch`, which changes paths and refuses some valid headers.
  const sent = request({ hostname, port, agent, method: hostile.method, path: hostile.path, headers }, (response) => {
    const { statusCode } = response;
    if (response.headers['content-type'] === 'text/event-stream') response.destroy(); // a stream would not end
    response.resume();
    response.once('end', () => resolve(statusCode)).once('close', () => resolve(statusCode));
  });
  sent.once('error', () => resolve(undefined));
  sent.end(body);
  return promise;
}
