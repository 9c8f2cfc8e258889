import { builtInProfile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { extendProfile } from '@assay/sidekicks/sidekick/profile.ts';
import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

const general = builtInProfile('general');

test('a profile does not differ from itself', () => {
  expect(differencesOf(general, structuredClone(general))).toEqual([]);
});

test('titles and the order of members do not count as differences', () => {
  const { limits, ...rest } = general;
  const turned = { ...rest, title: 'Another', limits: Object.fromEntries(Object.entries(limits).toReversed()) };
  expect(differencesOf(general, turned as typeof general)).toEqual([]);
});

test('an object that is null in one profile, or a rule that only one has, is reported as a single difference', () => {
  const without = structuredClone(general);
  without.limits.loudness.shortForm = null;
  const changed = extendProfile(without, { rules: [{ ruleCode: 'CAP-NONE', severity: 'OFF' }] });
  expect(differencesOf(changed, general)).toEqual([
    { pointer: '/limits/loudness/shortForm', left: null, right: general.limits.loudness.shortForm },
    { pointer: '/rules/CAP-NONE', left: 'OFF', right: null },
  ]);
});
