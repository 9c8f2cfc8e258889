import { tiers } from '@assay/contract/limits.ts';
import { z } from 'zod';
import { issueKey } from '#modules/identity/keys/issue-key.ts';
import { insertWorkspace } from '#modules/workspaces/store.ts';
import { defineChange, workspaceName } from './command.ts';

export const createWorkspace = defineChange(
  'workspace create',
  `--name <name> --tier <${tiers.join('|')}>`,
  z.object({ name: workspaceName, tier: z.enum(tiers) }),
  async ({ name, tier }, { handles: { db }, secrets: { KEY_PEPPER } }) => {
    const workspaceId = await insertWorkspace(db, name, tier);
    const live = await issueKey(db, KEY_PEPPER, workspaceId, 'live');
    const sandbox = await issueKey(db, KEY_PEPPER, workspaceId, 'sandbox');
    return {
      output: { workspaceId, liveKey: live.key, sandboxKey: sandbox.key },
      workspaceId,
      result: { liveKeyId: live.keyId, sandboxKeyId: sandbox.keyId },
    };
  },
);
