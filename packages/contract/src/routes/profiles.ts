import type { Route } from '../route.ts';
import { exampleProfileId } from '../schemas/examples.ts';
import {
  exampleChangedProfile,
  exampleGeneral,
  exampleProfile,
  exampleProfileChange,
  exampleProfileRequest,
  exampleProfileSummary,
} from '../schemas/profiles/examples.ts';
import {
  Profile,
  ProfileChange,
  ProfileComparison,
  ProfileComparisonQuery,
  ProfileList,
  ProfileQuery,
  ProfileRequest,
} from '../schemas/profiles/resource.ts';

const profilePath = '/profiles/{profile_id}';
const linkToProfile = { parameters: { profile_id: '$response.body#/profileId' } } as const;

export const profileRoutes = {
  listProfiles: {
    method: 'GET',
    path: '/profiles',
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Profiles',
    summary: 'List delivery profiles',
    description:
      'The built-in profiles, then those of the workspace by name, each at its newest revision. Use an ID or a name in `metadata.assay.profile` of a submission.',
    success: { status: 200, description: 'All profiles, without limits and rules.', body: ProfileList },
    refusals: [],
    examples: { response: { profiles: [exampleProfileSummary], nextCursor: null, hasMore: false } },
    links: { getProfile: { parameters: { profile_id: '$response.body#/profiles/0/profileId' } } },
  },
  createProfile: {
    method: 'POST',
    path: '/profiles',
    bucket: 'submission_write',
    scope: 'profiles',
    role: 'manager',
    audit: 'profile.created',
    tag: 'Profiles',
    summary: 'Create a delivery profile',
    description:
      'A profile changes another one: some of its limits, how rules are judged, which severity blocks an asset. It is checked as a whole, inherited limits included.',
    body: ProfileRequest,
    isIdempotent: true,
    location: '/profiles/{profileId}',
    success: { status: 201, description: 'The profile, at revision 1.', body: Profile },
    refusals: ['profile_limit_reached', 'profile_name_taken', 'unknown_profile'],
    examples: { request: exampleProfileRequest, response: exampleProfile },
    links: {
      getProfile: linkToProfile,
      updateProfile: linkToProfile,
      compareProfiles: linkToProfile,
      deleteProfile: linkToProfile,
    },
  },
  getProfile: {
    method: 'GET',
    path: profilePath,
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Profiles',
    summary: 'Read a delivery profile',
    description: 'What the profile changes, and in `resolved` everything that applies. Old revisions stay readable.',
    query: ProfileQuery,
    success: { status: 200, description: 'The profile at this revision.', body: Profile },
    refusals: ['profile_not_found'],
    examples: { response: exampleProfile },
  },
  updateProfile: {
    method: 'PATCH',
    path: profilePath,
    bucket: 'submission_write',
    scope: 'profiles',
    role: 'manager',
    audit: 'profile.changed',
    tag: 'Profiles',
    summary: 'Change a delivery profile',
    description:
      'Makes a new revision with the given fields; earlier results and submissions keep theirs. A request that changes nothing, or only `isDefault`, makes no revision; `isDefault` is the only field that a built-in profile accepts.',
    body: ProfileChange,
    success: { status: 200, description: 'The profile at its newest revision.', body: Profile },
    refusals: [
      'live_profile',
      'profile_not_found',
      'built_in_profile',
      'revision_limit_reached',
      'profile_name_taken',
      'unknown_profile',
    ],
    examples: { request: exampleProfileChange, response: exampleChangedProfile },
  },
  deleteProfile: {
    method: 'DELETE',
    path: profilePath,
    bucket: 'submission_write',
    scope: 'profiles',
    role: 'manager',
    audit: 'profile.deleted',
    tag: 'Profiles',
    summary: 'Delete a delivery profile',
    description:
      'The profile can no longer be selected or read. Submissions that use it keep their revision, and so do profiles that extend it.',
    success: { status: 204, description: 'The profile is deleted.' },
    refusals: ['live_profile', 'profile_not_found', 'profile_is_default', 'built_in_profile'],
    examples: {},
  },
  compareProfiles: {
    method: 'GET',
    path: `${profilePath}/compare`,
    bucket: 'submission_read',
    scope: 'read',
    role: 'viewer',
    audit: null,
    tag: 'Profiles',
    summary: 'Compare two delivery profiles',
    description:
      'Every limit, rule and setting that differs, inherited ones included. Also compares two revisions of one profile.',
    query: ProfileComparisonQuery,
    success: { status: 200, description: 'The differences.', body: ProfileComparison },
    refusals: ['profile_not_found', 'unknown_profile'],
    examples: {
      response: {
        left: { profileId: exampleProfileId, name: 'our-podcasts', revision: 1 },
        right: exampleGeneral,
        differences: [
          { pointer: '/limits/loudness/target', left: -16, right: -23 },
          { pointer: '/rules/LOUD-TRUE-PEAK', left: 'MAJOR', right: 'INFO' },
        ],
      },
    },
  },
} as const satisfies Record<string, Route>;
