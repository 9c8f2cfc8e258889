import { randomUUID } from 'node:crypto';
import { casesByPath, type RouteCases, withoutReferences } from './cells.ts';
import { fillPath, live } from './fixture.ts';

/** Profiles named in bodies and queries are covered by profile-tenancy.test.ts. */
export const casesOfProfileRoutes = {
  listProfiles: withoutReferences((client) => client.get('/profiles')),
  createProfile: withoutReferences((client) => client.post('/profiles', { name: `more-${randomUUID()}` })),
  getProfile: casesByPath('getProfile'),
  updateProfile: casesByPath('updateProfile', { title: 'changed' }),
  deleteProfile: {
    ...casesByPath('deleteProfile'),
    own: async (client) => {
      const { body } = await live.post('/profiles', { name: `soon-gone-${randomUUID()}` });
      return client.delete(fillPath('deleteProfile', { profile_id: body.profileId }));
    },
  },
  compareProfiles: casesByPath('compareProfiles', undefined, '?with=general'),
} satisfies Record<string, RouteCases>;
