import { z } from 'zod';
import { selectKeys } from '#modules/identity/keys/store.ts';
import { defineCommand, workspaceOption } from './command.ts';

export const listKeys = defineCommand(
  '--workspace <id>',
  z.object({ workspace: workspaceOption }),
  async ({ workspace }, { handles: { db } }) => selectKeys(db, workspace),
);
