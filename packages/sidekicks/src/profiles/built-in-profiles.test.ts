import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltInProfile, builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { LimitChanges, type Limits } from '@assay/contract/schemas/profiles/limits.ts';
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
  ['general', 3, '3feef9ba0592fdda'],
  ['ebu-r128', 1, 'c9392c556465db6e'],
  ['ebu-r128', 2, '3b1a1f90c372657e'],
  ['ebu-r128-s1', 1, 'dda55b062bb66f0a'],
  ['ebu-r128-s1', 2, '889e52e5916a559e'],
  ['atsc-a85', 1, 'd308d7f801ee05ab'],
  ['streaming', 1, '949e2e78946cd1d5'],
  ['podcast', 1, 'c52b8472932eb9cf'],
  ['social', 1, '0c29376d236aa6d1'],
  ['uk-dpp-as11', 1, '43a14830bd24cc0c'],
  ['uk-dpp-as11', 2, '6e034ae66b40b847'],
  ['us-broadcast-ad', 1, '9c2965e881985e43'],
];

test('no revision of a built-in profile changes after its digest has been listed', () => {
  const actual = revisionFiles.map(({ name, revision }) => {
    const { description, allowIncomplete, ...others } = builtInProfile(name, revision);
    // Left out if empty: the digests of the first revisions are older than these settings.
    const settings = allowIncomplete.length > 0 ? { ...others, allowIncomplete } : others;
    if (settings.limits.loudness.rangeWithoutTarget === null) {
      settings.limits = { ...settings.limits, loudness: withoutRange(settings.limits.loudness) };
    }
    return [name, revision, createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16)];
  });
  expect(actual).toEqual(digests);
});

function withoutRange({ rangeWithoutTarget: _, ...loudness }: Limits['loudness']) {
  return loudness as Limits['loudness'];
}

test('general lets loudness and captions be incomplete from its second revision on, and no other profile lets any check', () => {
  const allowing = revisionFiles.flatMap(({ name, revision }) => {
    const { allowIncomplete } = builtInProfile(name, revision);
    return allowIncomplete.length > 0 ? [[name, revision, allowIncomplete]] : [];
  });
  expect(allowing).toEqual([2, 3].map((revision) => ['general', revision, ['loudness', 'captions']]));
  expect({ ...builtInProfile('general', 2), allowIncomplete: [] }).toEqual({
    ...builtInProfile('general', 1),
    description: builtInProfile('general', 2).description,
  });
});

test('the second revisions for European broadcasters allow ±0.2 LU, without a meter tolerance on top, and change nothing else', () => {
  for (const name of ['ebu-r128', 'ebu-r128-s1', 'uk-dpp-as11'] as const) {
    const [first, second] = [builtInProfile(name, 1), builtInProfile(name, 2)];
    const tolerances = { toleranceAboveLu: 0.2, toleranceBelowLu: 0.2, meterToleranceLu: 0 };
    expect(second.limits.loudness).toMatchObject(tolerances);
    expect({ ...first.limits.loudness, ...tolerances, standard: null }).toEqual({
      ...second.limits.loudness,
      standard: null,
    });
    expect({ ...second.limits, loudness: null }).toEqual({ ...first.limits, loudness: null });
    const isIntegrated = ({ ruleCode }: { ruleCode: string }) => ruleCode.startsWith('LOUD-INTEGRATED');
    expect(second.rules.filter((rule) => !isIntegrated(rule))).toEqual(first.rules);
  }
});

test('general has no loudness target from its third revision on, and reports neither true peaks nor short-term loudness', () => {
  const { limits, rules } = builtInProfile('general', 3);
  expect(limits.loudness).toMatchObject({
    ...{ target: null, rangeWithoutTarget: { min: -30, max: -10 }, standard: null, shortForm: null },
  });
  expect(Object.fromEntries(rules.map(({ ruleCode, severity }) => [ruleCode, severity]))).toEqual({
    ...{ 'LOUD-INTEGRATED-HIGH': 'INFO', 'LOUD-INTEGRATED-LOW': 'INFO', 'QC-LEVELS': 'INFO' },
    ...{ 'LOUD-SHORT-TERM': 'OFF', 'LOUD-TRUE-PEAK': 'OFF' },
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
