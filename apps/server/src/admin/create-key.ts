import { z } from 'zod';
import { issueKey } from '#modules/identity/keys/issue-key.ts';
import { defineChange, requireWorkspace, workspaceOption } from './command.ts';

export const createKey = defineChange(
  'key create',
  '--workspace <id> --mode <live|sandbox> [--expires <ISO 8601 time>]',
  z.object({
    workspace: workspaceOption,
    mode: z.enum(['live', 'sandbox']),
    expires: z.coerce.date('must be a time in ISO 8601, such as 2027-01-05T09:30:00Z.').optional(),
  }),
  async ({ workspace, mode, expires = null }, { handles: { db }, secrets: { KEY_PEPPER } }) => {
    await requireWorkspace(db, workspace);
    const output = await issueKey(db, KEY_PEPPER, workspace, mode, expires);
    return { output, workspaceId: workspace, result: { keyId: output.keyId } };
  },
);
