import { silenceSecondsMin } from '#evidence/media/decode/audio/observe-audio.ts';
import { blackSecondsMin } from '#evidence/media/decode/video/black.ts';
import { freezeSecondsMin } from '#evidence/media/decode/video/freeze.ts';
import { levelMax, levelMin, levelShareMax } from '#evidence/media/decode/video/levels.ts';
import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

type Limits = Profile['limits']['qcPictureSound'];

/** The strictest limits that can be applied. What is within them is not recorded, whatever the profile says. */
const strictest: readonly { limit: keyof Limits; bound: 'least' | 'most'; value: number }[] = [
  { limit: 'levelMin', bound: 'most', value: levelMin },
  { limit: 'levelMax', bound: 'least', value: levelMax },
  { limit: 'levelShareMax', bound: 'least', value: levelShareMax },
  { limit: 'blackSecondsMax', bound: 'least', value: blackSecondsMin },
  { limit: 'freezeSecondsMax', bound: 'least', value: freezeSecondsMin },
  { limit: 'silenceSecondsMax', bound: 'least', value: silenceSecondsMin },
];

export function validateLimits({ qcPictureSound }: Profile['limits']): ProfileError[] {
  return findUnmeasured(qcPictureSound).map(({ limit, bound, value }) => ({
    pointer: `/limits/qcPictureSound/${limit}`,
    detail: `must be at ${bound} ${value}: stricter limits are not measured.`,
  }));
}

/** The limits that are stricter than what is measured. Revisions stored before such limits were refused can have them. */
export function findUnmeasured(limits: Limits) {
  return strictest.filter(({ limit, bound, value }) =>
    bound === 'least' ? limits[limit] < value : limits[limit] > value,
  );
}
