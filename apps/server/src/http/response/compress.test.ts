import { describe, expect, test } from 'vitest';
import { chooseEncoding } from './compress.ts';

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
