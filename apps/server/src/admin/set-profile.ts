import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { z } from 'zod';
import { selectOwnProfile, updateWorkspace } from '#modules/workspaces/store.ts';
import { AdminMistake, defineChange, noSuchWorkspace, workspaceOption } from './command.ts';

const noSuchProfile = `Workspace or profile not found. Built-in profiles: ${builtInProfiles.join(', ')}. GET /profiles lists those of a workspace.`;

export const setProfile = defineChange(
  'workspace set-profile',
  `--workspace <id> --profile <${builtInProfiles.join('|')}, or name or id of an own one>`,
  z.object({ workspace: workspaceOption, profile: z.string().min(1).max(63) }),
  async ({ workspace: workspaceId, profile }, { handles: { db } }) => {
    const isBuiltIn = builtInProfiles.some((name) => name === profile);
    const isDone = isBuiltIn
      ? await updateWorkspace(db, workspaceId, { profile })
      : await selectOwnProfile(db, workspaceId, profile);
    if (!isDone) throw new AdminMistake(isBuiltIn ? noSuchWorkspace : noSuchProfile);
    return { output: { workspaceId, profile }, workspaceId };
  },
);
