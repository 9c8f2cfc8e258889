import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { prefixes } from '@assay/contract/route.ts';
import { launchBrowser } from '@assay/testing/run/browser.ts';
import { liftedLimits, openTestApi, openTestWorker } from '@assay/testing/service/api.ts';
import { readStored } from '@assay/testing/storage/blobs.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { afterAll, describe, expect, test } from 'vitest';

/** Serves a page from its own origin. */
async function openSite() {
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>a page</title>'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  afterAll(() => site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const [allowedOrigin, otherOrigin] = [await openSite(), await openSite()];
const api = await openTestApi({ ...liftedLimits, CORS_ORIGINS: allowedOrigin, WORKER_QUEUES: 'control,document' });
await openTestWorker(api.config);
const { liveKey } = await api.makeWorkspace();
const client = api.client(liveKey);
const browser = await launchBrowser();
afterAll(() => browser.close());

async function openPage(siteUrl: string) {
  const page = await browser.newPage();
  await page.goto(siteUrl);
  return page;
}

describe('in a browser', () => {
  test.each(stores)(
    'a page from an origin that is not configured can PUT to a presigned URL of $name',
    async ({ environment, storedStatus }) => {
      const storing = await openTestApi({ ...liftedLimits, ...environment });
      const request = { filename: 'a.txt', contentType: 'text/plain' };
      const { body } = await storing.client(liveKey).post('/uploads/url', request);
      const page = await openPage(otherOrigin);
      const response = await page.evaluate(async (url) => {
        const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'text/plain' };
        const { status, headers: received } = await fetch(url, { method: 'PUT', headers, body: 'from a browser' });
        return { status, etag: received.get('etag') };
      }, body.uploadUrl as string);
      expect(response).toEqual({ status: storedStatus, etag: expect.stringMatching(/^".+"$/) });
      expect((await readStored(storing.config, body.blobPath)).bytes.toString()).toBe('from a browser');
    },
  );

  test('a page from a configured origin uploads, submits, follows the stream with a ticket and reads issues (§D10)', async () => {
    const page = await openPage(allowedOrigin);
    const outcome = await page.evaluate(
      async ([base, key]) => {
        const ask = async (path: string, body?: FormData | object) => {
          const isForm = body instanceof FormData;
          const response = await fetch(base + path, {
            method: body ? 'POST' : 'GET',
            headers: { 'x-api-key': key, ...(body && !isForm && { 'content-type': 'application/json' }) },
            ...(body && { body: isForm ? body : JSON.stringify(body) }),
          });
          // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
          return { body: (await response.json()) as any, requestId: response.headers.get('x-request-id') };
        };
        const form = new FormData();
        form.append('file', new Blob(['hello'], { type: 'text/plain' }), 'note.txt');
        const { blobPath } = (await ask('/uploads/direct', form)).body;
        const { submissionId, realtimeChannel, assets } = (await ask('/submissions', { assets: [{ blobPath }] })).body;
        const { ticket } = (await ask('/realtime/tickets', { channel: realtimeChannel })).body;
        const source = new EventSource(`${base}/realtime?${new URLSearchParams({ channel: realtimeChannel, ticket })}`);
        const status = await new Promise<string>((resolve, reject) => {
          const look = (message: unknown) => {
            const now = JSON.parse((message as { data: string }).data).status;
            if (now === 'complete' || now === 'failed') resolve(now);
          };
          source.addEventListener('snapshot', look);
          source.addEventListener('submission.updated', look);
          setTimeout(() => reject(new Error('the stream did not end')), 60_000);
        });
        source.close();
        const issues = await ask(`/submissions/${submissionId}/assets/${assets[0].assetId}/issues`);
        return { status, totalCount: issues.body.totalCount, requestId: issues.requestId };
      },
      [api.url + prefixes[0], liveKey] as const,
    );
    expect(outcome).toEqual({ status: 'complete', totalCount: 0, requestId: expect.any(String) });
  });

  test('a page from an origin that is not configured cannot upload, submit, read or follow a stream, even with the key (§D10)', async () => {
    const { body } = await client.post('/realtime/tickets', { channel: await channelOfNewSubmission() });
    const page = await openPage(otherOrigin);
    const outcomes = await page.evaluate(
      async ([base, key, channel, ticket]) => {
        const attempt = (path: string, init: RequestInit) =>
          fetch(base + path, init).then(
            () => 'read',
            (error) => error.name,
          );
        const headers = { 'x-api-key': key };
        const stream = new EventSource(`${base}/realtime?${new URLSearchParams({ channel, ticket })}`);
        const followed = new Promise((resolve) => {
          stream.onerror = () => resolve('TypeError');
          stream.addEventListener('snapshot', () => resolve('read'));
        });
        return [
          await attempt('/uploads/direct', { method: 'POST', headers, body: new FormData() }),
          await attempt('/submissions', { method: 'POST', headers, body: '{}' }),
          await attempt('/submissions', { headers }),
          await attempt('/realtime/tickets', { method: 'POST', headers, body: JSON.stringify({ channel }) }),
          await followed,
        ];
      },
      [api.url + prefixes[0], liveKey, body.channel as string, body.ticket as string] as const,
    );
    expect(outcomes).toEqual(Array(5).fill('TypeError'));
  });
});

async function channelOfNewSubmission(): Promise<string> {
  const { body: upload } = await client.uploadFile('note.txt', 'hello');
  return (await client.post('/submissions', { assets: [{ blobPath: upload.blobPath }] })).body.realtimeChannel;
}
