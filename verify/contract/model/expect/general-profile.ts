import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';

const file = findDataFile('general');

/** The profile of submissions that name none. */
export const general = {
  profileId: file?.profileId,
  name: 'general',
  revision: file?.revision,
  failOn: 'MAJOR',
  allowIncomplete: file?.allowIncomplete ?? [],
};
