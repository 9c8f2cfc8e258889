import type { Call, CallOptions } from './call.ts';
import { AssayError } from './errors.ts';

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Resolves ids and short names (case-insensitive) to ids: the API itself accepts ids only. */
export async function resolveSidekicks(call: Call, given: readonly string[], options?: CallOptions): Promise<string[]> {
  const names = given.map((name) => name.trim().toLowerCase());
  if (names.every((name) => uuid.test(name))) return names;
  const { sidekicks } = await call('listSidekicks', { params: [] }, options);
  const idOf = new Map(sidekicks.map(({ shortName, sidekickId }) => [shortName, sidekickId]));
  const unknown = given.filter((_, i) => !uuid.test(names[i] as string) && !idOf.has(names[i] as string));
  if (unknown.length > 0) {
    throw new AssayError(`Unknown sidekick: ${unknown.join(', ')}. Known: ${[...idOf.keys()].join(', ')}.`);
  }
  return names.map((name) => idOf.get(name) ?? name);
}
