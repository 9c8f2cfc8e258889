import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

export function validateLimits({ photosensitivity: { areas } }: Profile['limits']): ProfileError[] {
  if (new Set(areas).size === areas.length) return [];
  return [{ pointer: '/limits/photosensitivity/areas', detail: 'must not repeat an area.' }];
}
