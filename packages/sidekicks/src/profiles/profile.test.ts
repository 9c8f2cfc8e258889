import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import { describe, expect, test } from 'vitest';
import { extendProfile } from '#sidekick/profile.ts';
import { builtInProfile, findDataFile } from './built-in-profiles.ts';
import { complaintsAboutProfile } from './check-profile.ts';

const general = builtInProfile('general');

describe('built-in profiles', () => {
  test('every profile in the contract has a folder, and every folder is a profile in the contract', () => {
    const folders = readdirSync(join(import.meta.dirname, 'built-in'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.toSorted()).toEqual([...builtInProfiles].toSorted());
  });

  test('have different ids, and revisions from 1 without a gap', () => {
    expect(new Set(builtInProfiles.map((name) => findDataFile(name)?.profileId)).size).toBe(builtInProfiles.length);
    for (const name of builtInProfiles) {
      const revisions = readdirSync(join(import.meta.dirname, 'built-in', name)).length;
      for (let revision = 1; revision <= revisions; revision++) {
        expect(findDataFile(name, revision)).toMatchObject({ revision, profileId: findDataFile(name)?.profileId });
      }
    }
  });

  test.each(builtInProfiles)('%s has every limit, and sidekicks can use it', (name) => {
    const profile = builtInProfile(name);
    expect(Limits.safeParse(profile.limits).error).toBeUndefined();
    expect(complaintsAboutProfile(profile)).toEqual([]);
  });

  test('an unknown name throws instead of returning the default', () => {
    expect(() => builtInProfile('removed-profile')).toThrow('removed-profile');
    expect(() => builtInProfile('toString')).toThrow('toString');
    expect(() => builtInProfile('general', 99)).toThrow('99');
  });
});

describe('a profile that extends another', () => {
  test('changes what it names and inherits the rest', () => {
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

  test('inherits a limit that is null', () => {
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

describe('a profile is refused, with a pointer', () => {
  const complaints = (changes: Parameters<typeof extendProfile>[1], rules = changes.rules ?? []) =>
    complaintsAboutProfile({ ...extendProfile(general, changes), rules }).map(({ pointer }) => pointer);

  test.each([
    ['levels in the wrong order', { limits: { qcPictureSound: { levelMin: 250 } } }, '/limits/qcPictureSound/levelMin'],
    [
      'reading speeds in the wrong order',
      { limits: { captions: { wordsPerMinuteMinor: 300 } } },
      '/limits/captions/wordsPerMinuteMinor',
    ],
    [
      'an area twice',
      { limits: { photosensitivity: { areas: ['screen' as const, 'screen' as const] } } },
      '/limits/photosensitivity/areas',
    ],
    ['an unknown rule', { rules: [{ ruleCode: 'QC-NONE', severity: 'OFF' as const }] }, '/rules/0/ruleCode'],
    ['neither severity nor grades', { rules: [{ ruleCode: 'QC-VFR' }] }, '/rules/0'],
    [
      'grades that do not begin at 0',
      { rules: [{ ruleCode: 'QC-VFR', grades: [{ beyond: 1, severity: 'INFO' as const }] }] },
      '/rules/0/grades/0/beyond',
    ],
  ])('%s', (_, changes, pointer) => {
    expect(complaints(changes)).toEqual([pointer]);
  });

  test('a rule twice', () => {
    const setting = { ruleCode: 'QC-VFR', severity: 'OFF' as const };
    expect(complaints({ rules: [setting, setting] })).toEqual(['/rules/1/ruleCode']);
  });

  test('grades that do not become more severe with the distance', () => {
    const grades = [
      { beyond: 0, severity: 'MAJOR' as const },
      { beyond: 0, severity: 'MINOR' as const },
    ];
    expect(complaints({ rules: [{ ruleCode: 'QC-VFR', grades }] })).toEqual([
      '/rules/0/grades/1/beyond',
      '/rules/0/grades/1/severity',
    ]);
  });
});
