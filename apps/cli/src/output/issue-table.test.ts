import { expect, test } from 'vitest';
import { locationOf } from './issue-table.ts';

test.each([
  ['a timecode of the summary that means the same moment', 'Black from 00:00:08:12 to 00:00:09:00.', '00:00:08:12'],
  ['a time if the summary has none', 'Black for 0.5 s.', '0:08.48 to 0:09.00'],
  ['a time if the timecode means another moment', 'Compare 00:01:30:00.', '0:08.48 to 0:09.00'],
])('the location of an issue is %s', (_, summary, expected) => {
  const locations = [{ kind: 'timeRange' as const, startMs: 8480, endMs: 9000 }];
  expect(locationOf({ locations, summary })).toBe(expected);
  expect(locationOf({ locations: [...locations, ...locations], summary })).toBe(`${expected} +1`);
});
