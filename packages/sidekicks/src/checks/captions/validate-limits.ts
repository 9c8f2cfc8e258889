import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

export function validateLimits({ captions }: Profile['limits']): ProfileError[] {
  const { wordsPerMinuteMinor, wordsPerMinuteMajor } = captions;
  if (wordsPerMinuteMinor <= wordsPerMinuteMajor) return [];
  const detail = `must be at most wordsPerMinuteMajor (${wordsPerMinuteMajor}).`;
  return [{ pointer: '/limits/captions/wordsPerMinuteMinor', detail }];
}
