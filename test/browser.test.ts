import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { liftedLimits, openTestApi } from './support/api.ts';
import { readStored } from './support/blobs.ts';
import { launchBrowser } from './support/browser.ts';

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);
const browser = await launchBrowser();
const site = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<title>a page</title>'),
);
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
afterAll(async () => {
  await browser.close();
  site.close();
});

describe('in a browser', () => {
  test('a page of another origin can PUT to a presigned URL', async () => {
    const { body } = await client.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain' });
    const page = await browser.newPage();
    await page.goto(siteUrl);
    const status = await page.evaluate(async (url) => {
      const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'text/plain' };
      return (await fetch(url, { method: 'PUT', headers, body: 'from a browser' })).status;
    }, body.uploadUrl as string);
    expect(status).toBe(201);
    expect((await readStored(api.config, body.blobPath)).bytes.toString()).toBe('from a browser');
  });
});
