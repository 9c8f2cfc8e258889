import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import { describe, expect, test } from 'vitest';
import { notVerifiedRuleCodes, sidekicks } from '#sidekick/catalogue.ts';
import { extendProfile } from '#sidekick/profile.ts';
import { builtInProfile, findDataFile } from './built-in-profiles.ts';
import { validateProfile } from './validate-profile.ts';

const general = builtInProfile('general');

describe('built-in profiles', () => {
  test('have a folder for every profile in the contract, and no other folder', () => {
    const folders = readdirSync(join(import.meta.dirname, 'built-in'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.toSorted()).toEqual([...builtInProfiles].toSorted());
  });

  test('have unique ids, and revisions numbered from 1 without a gap', () => {
    expect(new Set(builtInProfiles.map((name) => findDataFile(name)?.profileId)).size).toBe(builtInProfiles.length);
    for (const name of builtInProfiles) {
      const revisions = readdirSync(join(import.meta.dirname, 'built-in', name)).length;
      for (let revision = 1; revision <= revisions; revision++) {
        expect(findDataFile(name, revision)).toMatchObject({ revision, profileId: findDataFile(name)?.profileId });
      }
    }
  });

  test.each(builtInProfiles)('include %s, which has every limit and is valid for every sidekick', (name) => {
    const profile = builtInProfile(name);
    expect(Limits.safeParse(profile.limits).error).toBeUndefined();
    expect(validateProfile(profile)).toEqual([]);
  });
});

test('builtInProfile throws for an unknown name or revision instead of returning the default', () => {
  expect(() => builtInProfile('removed-profile')).toThrow('removed-profile');
  expect(() => builtInProfile('toString')).toThrow('toString');
  expect(() => builtInProfile('general', 99)).toThrow('99');
});

describe('a profile that extends another profile', () => {
  test('changes the settings that it names and inherits the rest', () => {
    const extended = extendProfile(general, {
      title: 'Ours',
      limits: { loudness: { target: -16 }, captions: null },
      rules: [{ ruleCode: 'QC-VFR', severity: 'OFF' }],
    });
    expect(extended).toMatchObject({ title: 'Ours', description: general.description, failOn: general.failOn });
    expect(extended.limits.loudness).toEqual({ ...general.limits.loudness, target: -16 });
    expect(extended.limits.captions).toEqual(general.limits.captions);
    expect(extended.rules).toHaveLength(general.rules.length + 1);
  });

  test('inherits the checks that may be incomplete unless it names its own, also from a revision stored before that existed', () => {
    const base = { ...general, allowIncomplete: ['captions'] };
    expect(extendProfile(base, {}).allowIncomplete).toEqual(['captions']);
    expect(extendProfile(base, { allowIncomplete: [] }).allowIncomplete).toEqual([]);
    const { allowIncomplete: _, ...stored } = general;
    expect(extendProfile(stored as typeof general, {}).allowIncomplete).toEqual([]);
  });

  test('inherits a limit for which its own value is null', () => {
    const { limits } = extendProfile(general, { limits: { loudness: { target: null as never } } });
    expect(limits).toEqual(general.limits);
  });

  test('replaces an inherited setting of the same rule', () => {
    const { rules } = extendProfile(general, { rules: [{ ruleCode: 'LOUD-TRUE-PEAK', severity: 'MAJOR' }] });
    expect(rules.filter(({ ruleCode }) => ruleCode === 'LOUD-TRUE-PEAK')).toEqual([
      { ruleCode: 'LOUD-TRUE-PEAK', severity: 'MAJOR' },
    ]);
  });
});

describe('a profile with changes', () => {
  const errors = (changes: Parameters<typeof extendProfile>[1], rules = changes.rules ?? []) =>
    validateProfile({ ...extendProfile(general, changes), rules }).map(({ pointer }) => pointer);

  test.each([
    ['levels in the wrong order', { limits: { qcPictureSound: { levelMin: 250 } } }, '/limits/qcPictureSound/levelMin'],
    [
      'reading speeds in the wrong order',
      { limits: { captions: { wordsPerMinuteMinor: 300 } } },
      '/limits/captions/wordsPerMinuteMinor',
    ],
    [
      'the same area twice',
      { limits: { photosensitivity: { areas: ['screen' as const, 'screen' as const] } } },
      '/limits/photosensitivity/areas',
    ],
    ['an unknown rule', { rules: [{ ruleCode: 'QC-NONE', severity: 'OFF' as const }] }, '/rules/0/ruleCode'],
    ['an unknown check that may be incomplete', { allowIncomplete: ['captions', 'none'] }, '/allowIncomplete/1'],
    ['a rule with neither a severity nor grades', { rules: [{ ruleCode: 'QC-VFR' }] }, '/rules/0'],
    [
      'grades that do not begin at 0',
      { rules: [{ ruleCode: 'QC-VFR', grades: [{ beyond: 1, severity: 'INFO' as const }] }] },
      '/rules/0/grades/0/beyond',
    ],
  ])('is refused with a pointer to the error if it has %s', (_, changes, pointer) => {
    expect(errors(changes)).toEqual([pointer]);
  });

  test('is refused if it switches off the rule for what was not examined, with a pointer to allowIncomplete', () => {
    for (const ruleCode of notVerifiedRuleCodes) {
      const rules = [{ ruleCode, severity: 'OFF' as const }];
      expect(validateProfile({ ...general, rules })).toEqual([
        { pointer: '/rules/0/severity', detail: expect.stringContaining('allowIncomplete') },
      ]);
      expect(errors({ rules: [{ ruleCode, severity: 'INFO' }] })).toEqual([]);
    }
  });

  test('is accepted if it lets every check be incomplete', () => {
    expect(errors({ allowIncomplete: sidekicks.map(({ shortName }) => shortName) })).toEqual([]);
  });

  test('is refused with a pointer to the error if it has the same rule twice', () => {
    const setting = { ruleCode: 'QC-VFR', severity: 'OFF' as const };
    expect(errors({ rules: [setting, setting] })).toEqual(['/rules/1/ruleCode']);
  });

  test('is refused with a pointer to each error if its grades do not increase with the distance from the limit', () => {
    const grades = [
      { beyond: 0, severity: 'MAJOR' as const },
      { beyond: 0, severity: 'MINOR' as const },
    ];
    expect(errors({ rules: [{ ruleCode: 'QC-VFR', grades }] })).toEqual([
      '/rules/0/grades/1/beyond',
      '/rules/0/grades/1/severity',
    ]);
  });
});
