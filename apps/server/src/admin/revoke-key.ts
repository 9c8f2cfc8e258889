import { z } from 'zod';
import { markRevoked } from '#modules/identity/keys/store.ts';
import { AdminMistake, defineCommand } from './command.ts';

export const revokeKey = defineCommand(
  '--key <id>',
  z.object({ key: z.uuid() }),
  async ({ key: keyId }, { handles: { db, clock } }) => {
    if (!(await markRevoked(db, keyId, clock.now())))
      throw new AdminMistake('Key not found. List the keys with: admin key list');
    return { keyId, isRevoked: true };
  },
);
