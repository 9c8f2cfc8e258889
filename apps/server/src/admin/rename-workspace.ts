import { z } from 'zod';
import { updateWorkspace } from '#modules/workspaces/store.ts';
import { AdminMistake, defineChange, noSuchWorkspace, workspaceName, workspaceOption } from './command.ts';

export const renameWorkspace = defineChange(
  'workspace rename',
  '--workspace <id> --name <name>',
  z.object({ workspace: workspaceOption, name: workspaceName }),
  async ({ workspace: workspaceId, name }, { handles: { db } }) => {
    if (!(await updateWorkspace(db, workspaceId, { name }))) throw new AdminMistake(noSuchWorkspace);
    return { output: { workspaceId, name }, workspaceId };
  },
);
