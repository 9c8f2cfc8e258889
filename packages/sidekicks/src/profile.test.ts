import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defaultProfile, profiles as names } from '@assay/contract/house.ts';
import { expect, test } from 'vitest';
import { type Profile, profileNamed, profiles } from './profile.ts';

test('every profile that a caller may name is a data file, and every data file can be named', () => {
  const files = readdirSync(join(import.meta.dirname, 'profiles')).map((name) => name.replace(/\.json$/, ''));
  expect(files.toSorted()).toEqual([...names].toSorted());
  expect(Object.keys(profiles).toSorted()).toEqual([...names].toSorted());
});

test('all have the same members: one that is forgotten would be no limit at all', () => {
  const membersOf = (profile: Profile) =>
    Object.entries(profile).map(([name, part]) => [name, typeof part === 'string' ? null : Object.keys(part)]);
  for (const name of names) expect(membersOf(profiles[name])).toEqual(membersOf(profiles[defaultProfile]));
});

test('a name that nobody knows any more is a mistake of ours, and not the default', () => {
  expect(() => profileNamed('house-of-yesterday')).toThrow('house-of-yesterday');
  expect(() => profileNamed('toString')).toThrow('toString');
});
