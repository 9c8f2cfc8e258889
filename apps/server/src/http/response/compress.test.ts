import { gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { chooseEncoding, compressResponses } from './compress.ts';

describe('the encoding of a response', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip;q=1.0 , deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br ; q=0, gzip', 'gzip'],
    ['br;q=0.000', undefined],
    ['br;q=0.5', 'br'],
    ['identity', undefined],
    ['', undefined],
  ])('for Accept-Encoding %j is %s', (accepted, encoding) => expect(chooseEncoding(accepted)).toBe(encoding));

  test.each(['gzip', 'gzip,', 'gzip;', '; '])(
    'is chosen in linear time for a header of %j and many spaces',
    (start) => {
      const before = process.cpuUsage();
      for (let i = 0; i < 20; i++) chooseEncoding(`${start}${' '.repeat(16_000)}x`);
      const { user } = process.cpuUsage(before);
      expect(user / 1000).toBeLessThan(200); // a regular expression such as `\s*;\s*` takes seconds
    },
  );
});

test('a constant response is compressed once, and any other each time', async () => {
  const api = fastify();
  compressResponses(api);
  // Not constant at all, so that a response that was not compressed again is noticed.
  let count = 0;
  const respond = async () => `${++count}`.repeat(2000);
  api.get('/constant', { config: { isConstant: true } }, respond);
  api.get('/other', respond);
  const read = async (url: string) => {
    const { rawPayload } = await api.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    return gunzipSync(rawPayload).toString()[0];
  };
  expect([await read('/constant'), await read('/constant')]).toEqual(['1', '1']);
  expect([await read('/other'), await read('/other')]).toEqual(['3', '4']);
});
