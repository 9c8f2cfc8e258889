import { builtInProfile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { extendProfile } from '@assay/sidekicks/sidekick/profile.ts';
import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

const generalProfile = builtInProfile('general', 2);

test('differencesOf returns nothing for two equal profiles', () => {
  expect(differencesOf(generalProfile, structuredClone(generalProfile))).toEqual([]);
});

test('differencesOf ignores titles and the order of members', () => {
  const { limits, ...rest } = generalProfile;
  const turned = { ...rest, title: 'Another', limits: Object.fromEntries(Object.entries(limits).toReversed()) };
  expect(differencesOf(generalProfile, turned as typeof generalProfile)).toEqual([]);
});

test('differencesOf reports a single difference for an object that is null, or a rule that is missing, in one profile', () => {
  const without = structuredClone(generalProfile);
  without.limits.loudness.shortForm = null;
  const changed = extendProfile(without, { rules: [{ ruleCode: 'CAP-NONE', severity: 'OFF' }] });
  expect(differencesOf(changed, generalProfile)).toEqual([
    { pointer: '/limits/loudness/shortForm', left: null, right: generalProfile.limits.loudness.shortForm },
    { pointer: '/rules/CAP-NONE', left: 'OFF', right: null },
  ]);
});
