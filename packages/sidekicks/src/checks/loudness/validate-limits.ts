import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

export function validateLimits({ loudness: { rangeWithoutTarget: range } }: Profile['limits']): ProfileError[] {
  if (!range || range.min < range.max) return [];
  return [{ pointer: '/limits/loudness/rangeWithoutTarget/max', detail: 'must be more than rangeWithoutTarget.min.' }];
}
