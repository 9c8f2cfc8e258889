import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { builtInProfile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { z } from 'zod';
import { defineCommand } from './command.ts';

export const listProfiles = defineCommand('', z.object({}), async () =>
  builtInProfiles.map((profile) => ({ profile, ...builtInProfile(profile) })),
);
