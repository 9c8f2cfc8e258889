import type { Profile } from '#sidekick/profile.ts';
import type { ProfileError } from '#sidekick/sidekick.ts';

export function validateLimits({ deliverySpec }: Profile['limits']): ProfileError[] {
  return Object.entries(deliverySpec).flatMap(([member, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const pointer = `/limits/deliverySpec/${member}`;
    if (Array.isArray(value)) {
      const texts = value.map((item) => JSON.stringify(item));
      return new Set(texts).size < texts.length ? [{ pointer, detail: 'must not repeat a value.' }] : [];
    }
    if ('seconds' in value) return [];
    const { min = null, max = null } = value;
    if (min === null && max === null) return [{ pointer, detail: 'must have min or max.' }];
    if (min === null || max === null || min <= max) return [];
    return [{ pointer: `${pointer}/min`, detail: `must be at most max (${max}).` }];
  });
}
