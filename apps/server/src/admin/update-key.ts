import { KeyName } from '@assay/contract/schemas/key.ts';
import { z } from 'zod';
import { presentKey } from '#modules/identity/keys/present-key.ts';
import { changeKey } from '#modules/identity/keys/store.ts';
import { AdminMistake, defineChange, workspaceOption } from './command.ts';

export const updateKey = defineChange(
  'key update',
  '--workspace <id> --key <id> [--name <name>] [--expires <ISO 8601 time|never>]',
  z.object({
    workspace: workspaceOption,
    key: z.uuid(),
    name: KeyName.optional(),
    expires: z
      .preprocess(
        (text) => (text === 'never' ? null : text),
        z.coerce.date('must be never, or a time in ISO 8601, such as 2027-01-05T09:30:00Z.').nullable(),
      )
      .optional(),
  }),
  async ({ workspace, key, name, expires }, { handles: { db } }) => {
    if (name === undefined && expires === undefined) throw new AdminMistake('Give --name or --expires.');
    const row = await changeKey(db, workspace, key, { name, expiresAt: expires });
    if (!row) throw new AdminMistake('No valid key of this workspace has this ID. List the keys with: admin key list');
    return { output: presentKey(row), workspaceId: workspace };
  },
);
