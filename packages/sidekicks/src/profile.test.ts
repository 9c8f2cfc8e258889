import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defaultProfile, profiles as names } from '@assay/contract/schemas/profile.ts';
import { expect, test } from 'vitest';
import { type Profile, profileNamed, profiles } from './profile.ts';

test('every profile in the contract has a data file, and every data file is a profile in the contract', () => {
  const files = readdirSync(join(import.meta.dirname, 'profiles')).map((name) => name.replace(/\.json$/, ''));
  expect(files.toSorted()).toEqual([...names].toSorted());
  expect(Object.keys(profiles).toSorted()).toEqual([...names].toSorted());
});

test('all profiles have the same members: a missing member would be a missing limit', () => {
  const membersOf = (profile: Profile) =>
    Object.entries(profile).map(([name, part]) => [name, typeof part === 'string' ? null : Object.keys(part)]);
  for (const name of names) expect(membersOf(profiles[name])).toEqual(membersOf(profiles[defaultProfile]));
});

test('an unknown name throws instead of returning the default', () => {
  expect(() => profileNamed('removed-profile')).toThrow('removed-profile');
  expect(() => profileNamed('toString')).toThrow('toString');
});
