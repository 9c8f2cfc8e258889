import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltInProfile, builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { LimitChanges } from '@assay/contract/schemas/profiles/limits.ts';
import { describe, expect, test } from 'vitest';
import { builtInProfile, type DataFile, findDataFile } from './built-in-profiles.ts';

/** Every revision of every built-in profile. */
const files = builtInProfiles.flatMap((name) =>
  readdirSync(join(import.meta.dirname, 'built-in', name)).map((file) => {
    const revision = Number.parseInt(file, 10);
    return { name, revision, file: findDataFile(name, revision) as DataFile };
  }),
);

describe.each(files)('$name, revision $revision', ({ name, file }) => {
  test('every limit, and every number of a rule, has a source', () => {
    const pointers = file.sources.map(({ pointer }) => pointer);
    const needSource = [
      ...leavesOf(file.limits, '/limits').filter(([pointer]) => pointer !== '/limits/loudness/scale'),
      ...leavesOf(file.rules, '/rules').filter(([, value]) => typeof value === 'number' && value !== 0),
    ];
    const without = needSource.filter(([leaf]) => !pointers.some((pointer) => `${leaf}/`.startsWith(`${pointer}/`)));
    expect(without).toEqual([]);
  });

  test('every source refers to a value that is in the file', () => {
    expect(file.sources.filter(({ pointer }) => valueAt(file, pointer) === undefined)).toEqual([]);
  });

  test('every source has an https address, or a note that explains why there is none', () => {
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
    const { description } = builtInProfile(name);
    expect(description).toBe(file.description);
    expect(description).toMatch(/ for /);
    expect(description.match(/[.!?](\s|$)/g)?.length).toBeOneOf([1, 2]);
  });

  test('extends an existing revision, or nothing', () => {
    if (file.extends) expect(findDataFile(file.extends.profile, file.extends.revision)).toBeDefined();
  });
});

describe('well-known limits', () => {
  test.each<[BuiltInProfile, number, number, number, string]>([
    // profile, target, tolerance above, true peak, scale
    ['general', -23, 1, -1, 'LUFS'],
    ['ebu-r128', -23, 1, -1, 'LUFS'],
    ['ebu-r128-s1', -23, 0.5, -1, 'LUFS'],
    ['atsc-a85', -24, 2, -2, 'LKFS'],
    ['streaming', -18, 2, -1, 'LUFS'],
    ['podcast', -16, 1, -1, 'LKFS'],
    ['social', -14, 2, -1, 'LUFS'],
    ['uk-dpp-as11', -23, 1, -3, 'LUFS'],
    ['us-broadcast-ad', -24, 2, -2, 'LKFS'],
  ])('of %s are correct for loudness', (name, target, toleranceAboveLu, truePeakMaxDb, scale) => {
    expect(builtInProfile(name).limits.loudness).toMatchObject({ target, toleranceAboveLu, truePeakMaxDb, scale });
  });

  test.each<[BuiltInProfile, string]>([
    ['general', '341x256'],
    ['streaming', '341x256'],
    ['podcast', '341x256'],
    ['social', '341x256'],
    ['ebu-r128', 'screen'],
    ['ebu-r128-s1', 'screen'],
    ['atsc-a85', 'screen'],
    ['uk-dpp-as11', 'screen'],
    ['us-broadcast-ad', 'screen'],
  ])('of %s apply to flashes over the area %s', (name, area) => {
    expect(builtInProfile(name).limits.photosensitivity.areas).toEqual([area]);
  });

  test('of ebu-r128-s1 treat everything up to 10 minutes as short-form', () => {
    const shortForm = (name: BuiltInProfile) => builtInProfile(name).limits.loudness.shortForm;
    expect(shortForm('ebu-r128-s1')).toEqual({ secondsMax: 600, shortTermMaxLufs: -18 });
    expect(shortForm('ebu-r128')).toEqual({ secondsMax: 30, shortTermMaxLufs: -18 });
    expect(shortForm('us-broadcast-ad')).toBeNull();
  });

  test.each(['general', 'social'] as const)('of %s report loudness only as INFO', (name) => {
    const loudness = builtInProfile(name).rules.filter(({ ruleCode }) => ruleCode.startsWith('LOUD-INTEGRATED-'));
    expect(loudness.map(({ severity }) => severity)).toEqual(['INFO', 'INFO']);
  });
});

// Stored results refer to these revisions.
describe('revision 1', () => {
  const shared = {
    qcPictureSound: {
      blackSecondsMax: 2,
      freezeSecondsMax: 5,
      levelMin: 5,
      levelMax: 246,
      levelShareMax: 0.01,
      silenceSecondsMax: 3,
      endsApartSecondsMax: 0.5,
    },
    photosensitivity: { areas: ['screen'], areaShareMax: 0.25 },
    captions: { wordsPerMinuteMinor: 180, wordsPerMinuteMajor: 200, linesMax: 2 },
  };

  test('of ebu-r128 never changes', () => {
    const { deliverySpec, ...limits } = builtInProfile('ebu-r128', 1).limits;
    expect(limits).toEqual({
      ...shared,
      loudness: {
        standard: { name: 'EBU R 128 (version 4.0, 2020)', clause: 'Recommendations d, e and i' },
        scale: 'LUFS',
        target: -23,
        toleranceAboveLu: 1,
        toleranceBelowLu: 1,
        meterToleranceLu: 0.2,
        truePeakMaxDb: -1,
        truePeakMeterToleranceDb: 0.2,
        shortForm: { secondsMax: 30, shortTermMaxLufs: -18 },
      },
    });
    expect(Object.values(deliverySpec).filter((expected) => expected !== null)).toEqual([]);
  });

  test('of atsc-a85 never changes', () => {
    const { deliverySpec, ...limits } = builtInProfile('atsc-a85', 1).limits;
    expect(limits).toEqual({
      ...shared,
      loudness: {
        standard: { name: 'ATSC A/85:2013', clause: 'Annex H' },
        scale: 'LKFS',
        target: -24,
        toleranceAboveLu: 2,
        toleranceBelowLu: 2,
        meterToleranceLu: 0,
        truePeakMaxDb: -2,
        truePeakMeterToleranceDb: 0.2,
        shortForm: null,
      },
    });
    expect(Object.values(deliverySpec).filter((expected) => expected !== null)).toEqual([]);
  });
});

/** The values inside a value, by pointer, without null. */
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
