import { expect, test } from 'vitest';
import { builtInProfile } from '#profiles/built-in-profiles.ts';
import { extendProfile, type Profile } from '#sidekick/profile.ts';
import { validateLimits } from './validate-limits.ts';

type Limits = Profile['limits']['qcPictureSound'];

function errorsOf(qcPictureSound: Partial<Limits>) {
  return validateLimits(extendProfile(builtInProfile('general'), { limits: { qcPictureSound } }).limits);
}

test.each<[keyof Limits, number, number]>([
  ['levelMin', 16, 5],
  ['levelMax', 235, 246],
  ['levelShareMax', 0.001, 0.01],
  ['blackSecondsMax', 0.05, 0.1],
  ['freezeSecondsMax', 0.4, 0.5],
  ['silenceSecondsMax', 0.05, 0.1],
])(
  'a profile whose %s is stricter than what is measured (%d) is refused, and %d is accepted',
  (limit, strict, least) => {
    expect(errorsOf({ [limit]: strict })).toEqual([
      { pointer: `/limits/qcPictureSound/${limit}`, detail: expect.stringContaining(`${least}`) },
    ]);
    expect(errorsOf({ [limit]: least })).toEqual([]);
  },
);

test('every error of a profile is reported', () => {
  expect(errorsOf({ levelMin: 16, levelMax: 235, levelShareMax: 0.001 })).toHaveLength(3);
});
