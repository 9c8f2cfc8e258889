import { randomUUID } from 'node:crypto';
import { byPath, type Row, withoutReference } from './cells.ts';
import { fillPath, live } from './fixture.ts';

/** Bodies and queries name a profile too: see profile-tenancy.test.ts. */
export const profileRows = {
  listProfiles: withoutReference((client) => client.get('/profiles')),
  createProfile: withoutReference((client) => client.post('/profiles', { name: `more-${randomUUID()}` })),
  getProfile: byPath('getProfile'),
  updateProfile: byPath('updateProfile', { title: 'changed' }),
  deleteProfile: {
    ...byPath('deleteProfile'),
    own: async (client) => {
      const { body } = await live.post('/profiles', { name: `soon-gone-${randomUUID()}` });
      return client.delete(fillPath('deleteProfile', { profile_id: body.profileId }));
    },
  },
  compareProfiles: byPath('compareProfiles', undefined, '?with=general'),
} satisfies Record<string, Row>;
