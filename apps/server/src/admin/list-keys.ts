import { z } from 'zod';
import { scopesOf } from '#modules/identity/keys/key.ts';
import { selectKeys } from '#modules/identity/keys/store.ts';
import { defineCommand, workspaceOption } from './command.ts';

export const listKeys = defineCommand(
  '--workspace <id>',
  z.object({ workspace: workspaceOption }),
  async ({ workspace }, { handles: { db } }) => {
    const keys = await selectKeys(db, workspace);
    return keys.map((key) => ({ ...key, scopes: scopesOf(key.scopes) }));
  },
);
