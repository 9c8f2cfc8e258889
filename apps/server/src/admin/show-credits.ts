import { z } from 'zod';
import { sumCreditsByMonth } from '#modules/workspaces/store.ts';
import { defineCommand, workspaceOption } from './command.ts';

export const showCredits = defineCommand(
  '--workspace <id>',
  z.object({ workspace: workspaceOption }),
  async ({ workspace }, { handles: { db } }) => sumCreditsByMonth(db, workspace),
);
