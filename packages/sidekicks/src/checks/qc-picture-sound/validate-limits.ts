import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

export function validateLimits({ qcPictureSound }: Profile['limits']): ProfileError[] {
  const { levelMin, levelMax } = qcPictureSound;
  if (levelMin < levelMax) return [];
  return [{ pointer: '/limits/qcPictureSound/levelMin', detail: `must be less than levelMax (${levelMax}).` }];
}
