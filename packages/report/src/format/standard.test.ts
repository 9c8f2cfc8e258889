import { expect, test } from 'vitest';
import { formatStandard } from './standard.ts';

const clause = { name: 'EBU R 103', clause: 'Annex 1' };

test('a clause whose source was not read in the original, or may not have been, says so beside it', () => {
  expect(formatStandard({ ...clause, isVerified: true })).toBe('EBU R 103, Annex 1');
  expect(formatStandard({ ...clause, isVerified: false })).toBe('EBU R 103, Annex 1 (not read in the original)');
  expect(formatStandard({ ...clause, isVerified: null })).toBe('EBU R 103, Annex 1 (not read in the original)');
});
