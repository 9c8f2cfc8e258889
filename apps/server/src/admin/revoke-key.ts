import { z } from 'zod';
import { markRevoked } from '#modules/identity/keys/store.ts';
import { AdminMistake, defineChange } from './command.ts';

export const revokeKey = defineChange(
  'key revoke',
  '--key <id>',
  z.object({ key: z.uuid() }),
  async ({ key: keyId }, { handles: { db, clock } }) => {
    const workspaceId = await markRevoked(db, keyId, clock.now());
    if (!workspaceId) throw new AdminMistake('Key not found. List the keys with: admin key list');
    return { output: { keyId, isRevoked: true }, workspaceId };
  },
);
