import { z } from 'zod';
import { sumCreditsByMonth } from '#modules/workspaces/store.ts';
import { command, workspaceOption } from './command.ts';

export const showCredits = command(
  '--workspace <id>',
  z.object({ workspace: workspaceOption }),
  async ({ workspace }, { handles: { db } }) => sumCreditsByMonth(db, workspace),
);
