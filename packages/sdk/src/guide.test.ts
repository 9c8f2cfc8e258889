import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { expect, test } from 'vitest';
import { Assay } from './assay.ts';

test('the guide lists every call of the client', () => {
  const guide = readFileSync(join(root, 'docs/guides/sdk.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| (\w+) +\| (`.*`) +\|$/gm)].map(([, resource, calls = '']) => [
    resource,
    [...calls.matchAll(/`(\w+)`/g)].map(([, call]) => call).sort(),
  ]);
  const client = Object.entries(new Assay({ apiKey: 'key', baseUrl: 'http://127.0.0.1' }));
  const offered = client
    .filter(([, value]) => typeof value === 'object')
    .map(([resource, calls]) => [resource, Object.keys(calls).sort()]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(offered));
});
