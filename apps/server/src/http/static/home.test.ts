import { openTestApi } from '@assay/testing/service/api.ts';
import { expect, test } from 'vitest';

const api = await openTestApi();

test('GET / is a page that says what runs here, and whose links work', async () => {
  const response = await fetch(`${api.url}/`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await response.text();
  expect(html).toContain('The media compliance service is running.');
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
  expect(links).toEqual(['/docs/', '/openapi.json', '/readyz']);
  for (const link of links.slice(1)) expect((await fetch(`${api.url}${link}`)).status, link).toBe(200);
});
