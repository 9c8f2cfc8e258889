import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltInProfile, builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { LimitChanges } from '@assay/contract/schemas/profiles/limits.ts';
import { describe, expect, test } from 'vitest';
import { builtInProfile, type DataFile, findDataFile } from './built-in-profiles.ts';

/** Every revision of every built-in profile. */
const revisionFiles = builtInProfiles.flatMap((name) =>
  readdirSync(join(import.meta.dirname, 'built-in', name)).map((file) => {
    const revision = Number.parseInt(file, 10);
    return { name, revision, file: findDataFile(name, revision) as DataFile };
  }),
);

describe.each(revisionFiles)('the profile $name, revision $revision,', ({ name, revision, file }) => {
  test('has a source for every limit and every number in its rules', () => {
    const pointers = file.sources.map(({ pointer }) => pointer);
    const needSource = [
      ...leavesOf(file.limits, '/limits').filter(([pointer]) => pointer !== '/limits/loudness/scale'),
      ...leavesOf(file.rules, '/rules').filter(([, value]) => typeof value === 'number' && value !== 0),
    ];
    const without = needSource.filter(([leaf]) => !pointers.some((pointer) => `${leaf}/`.startsWith(`${pointer}/`)));
    expect(without).toEqual([]);
  });

  test('has sources only for values that are in the file', () => {
    expect(file.sources.filter(({ pointer }) => valueAt(file, pointer) === undefined)).toEqual([]);
  });

  test('has an https address for every source, or a note that explains why there is none', () => {
    for (const { source, url, note } of file.sources) {
      expect(source).not.toBe('');
      expect(url ?? note).toBeTruthy();
      if (url !== null) expect(new URL(url).protocol).toBe('https:');
    }
  });

  test('changes only limits that exist', () => {
    expect(LimitChanges.safeParse(file.limits).error).toBeUndefined();
  });

  test('has a description of one or two sentences that names its audience', () => {
    const { description } = builtInProfile(name, revision);
    expect(description).toBe(file.description);
    expect(description).toMatch(/ for /);
    expect(description.match(/[.!?](\s|$)/g)?.length).toBeOneOf([1, 2]);
  });

  test('extends either no profile or an existing revision', () => {
    if (file.extends) expect(findDataFile(file.extends.profile, file.extends.revision)).toBeDefined();
  });
});

// Results refer to a revision, so its limits and severities must stay the same for ever. Its sources and description may
// be corrected.
const digests: [BuiltInProfile, number, string][] = [
  ['general', 1, 'cd057fdece9e9d0b'],
  ['general', 2, 'ba645fd0e3c35409'],
  ['ebu-r128', 1, 'c9392c556465db6e'],
  ['ebu-r128-s1', 1, 'dda55b062bb66f0a'],
  ['atsc-a85', 1, 'd308d7f801ee05ab'],
  ['streaming', 1, '949e2e78946cd1d5'],
  ['podcast', 1, 'c52b8472932eb9cf'],
  ['social', 1, '0c29376d236aa6d1'],
  ['uk-dpp-as11', 1, '43a14830bd24cc0c'],
  ['us-broadcast-ad', 1, '9c2965e881985e43'],
];

test('no revision of a built-in profile changes after its digest has been listed', () => {
  const actual = revisionFiles.map(({ name, revision }) => {
    const { description, allowIncomplete, ...others } = builtInProfile(name, revision);
    // Left out if it is empty: the digests of the first revisions are older than this setting.
    const settings = allowIncomplete.length > 0 ? { ...others, allowIncomplete } : others;
    return [name, revision, createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16)];
  });
  expect(actual).toEqual(digests);
});

test('general lets loudness and captions be incomplete from its second revision on, and no other profile lets any check', () => {
  const allowing = revisionFiles.flatMap(({ name, revision }) => {
    const { allowIncomplete } = builtInProfile(name, revision);
    return allowIncomplete.length > 0 ? [[name, revision, allowIncomplete]] : [];
  });
  expect(allowing).toEqual([['general', 2, ['loudness', 'captions']]]);
  expect({ ...builtInProfile('general', 2), allowIncomplete: [] }).toEqual({
    ...builtInProfile('general', 1),
    description: builtInProfile('general', 2).description,
  });
});

/** The JSON pointer and value of every member inside a value, except nested objects and null. */
function leavesOf(value: unknown, at: string): [pointer: string, value: unknown][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[at, value]];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${at}/${name}`));
}

function valueAt(file: object, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], file);
}
