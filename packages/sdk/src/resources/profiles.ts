import type { Call, CallOptions, WriteOptions } from '../call.ts';
import { listing } from '../listing.ts';
import { resolveProfileId } from '../profile-id.ts';
import type { Operations, ProfileChange, ProfileRequest } from '../wire.generated.ts';

type Query = Operations['getProfile']['query'];
type ComparisonQuery = Omit<Operations['compareProfiles']['query'], 'with'>;

/** Each profile can be given by id or name. */
export const profiles = (call: Call) => {
  const update = async (profile: string, body: ProfileChange, options?: CallOptions) =>
    call('updateProfile', { params: [await resolveProfileId(call, profile, options)], body }, options);
  return {
    /** The built-in profiles, then those of the workspace, without limits and rules. */
    list: (options?: CallOptions) =>
      listing(
        () => call('listProfiles', { params: [] }, options),
        (page) => page.profiles,
      ),
    get: async (profile: string, query: Query = {}, options?: CallOptions) =>
      call('getProfile', { params: [await resolveProfileId(call, profile, options)], query }, options),
    create: (body: ProfileRequest, options?: WriteOptions) => call('createProfile', { params: [], body }, options),
    /** Makes a new revision; `limits` and `rules` are replaced as a whole. */
    update,
    /** Makes the profile the default of the workspace. Requires a live key. */
    setDefault: (profile: string, options?: CallOptions) => update(profile, { isDefault: true }, options),
    delete: async (profile: string, options?: CallOptions) =>
      call('deleteProfile', { params: [await resolveProfileId(call, profile, options)] }, options),
    /** The differences between two profiles, or two revisions of one, including everything that they inherit. */
    compare: async (left: string, right: string, query: ComparisonQuery = {}, options?: CallOptions) => {
      const params: [string] = [await resolveProfileId(call, left, options)];
      return call('compareProfiles', { params, query: { ...query, with: right.trim().toLowerCase() } }, options);
    },
  };
};
