import { tiers } from '@assay/contract/limits.ts';
import { z } from 'zod';
import { updateWorkspace } from '#modules/workspaces/store.ts';
import { AdminMistake, defineChange, noSuchWorkspace, workspaceOption } from './command.ts';

export const setTier = defineChange(
  'workspace set-tier',
  '--workspace <id> --tier <tier>',
  z.object({ workspace: workspaceOption, tier: z.enum(tiers) }),
  async ({ workspace: workspaceId, tier }, { handles: { db } }) => {
    if (!(await updateWorkspace(db, workspaceId, { tier }))) throw new AdminMistake(noSuchWorkspace);
    return { output: { workspaceId, tier }, workspaceId };
  },
);
