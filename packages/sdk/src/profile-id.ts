import type { Call, CallOptions } from './call.ts';
import { AssayError } from './errors.ts';
import { uuid } from './sidekick-ids.ts';

/** Resolves the id or name (case-insensitive) of a profile to its id: paths of the API accept ids only. */
export async function resolveProfileId(call: Call, given: string, options?: CallOptions): Promise<string> {
  const name = given.trim().toLowerCase();
  if (uuid.test(name)) return name;
  const { profiles } = await call('listProfiles', { params: [] }, options);
  const found = profiles.find((profile) => profile.name === name);
  if (found) return found.profileId;
  throw new AssayError(`Unknown profile: ${given}. Known: ${profiles.map((profile) => profile.name).join(', ')}.`);
}
