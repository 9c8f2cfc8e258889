import { scopes } from '@assay/contract/rights.ts';
import { KeyName } from '@assay/contract/schemas/key.ts';
import { z } from 'zod';
import { issueKey } from '#modules/identity/keys/issue-key.ts';
import { defineChange, requireWorkspace, workspaceOption } from './command.ts';

const oneScope = `(${scopes.join('|')})`;
const scopeList = z
  .string()
  .regex(
    new RegExp(`^${oneScope}(,${oneScope})*$`),
    `must be some of these, separated by commas: ${scopes.join(', ')}.`,
  )
  .transform((text) => scopes.filter((scope) => text.split(',').includes(scope)));

export const createKey = defineChange(
  'key create',
  `--workspace <id> --mode <live|sandbox> [--name <name>] [--scopes <${scopes.join(',')}>] [--expires <ISO 8601 time>]`,
  z.object({
    workspace: workspaceOption,
    mode: z.enum(['live', 'sandbox']),
    name: KeyName.optional(),
    scopes: scopeList.optional(),
    expires: z.coerce.date('must be a time in ISO 8601, such as 2027-01-05T09:30:00Z.').optional(),
  }),
  async ({ workspace, mode, name, scopes: chosen, expires }, { handles: { db }, secrets: { KEY_PEPPER } }) => {
    await requireWorkspace(db, workspace);
    const output = await issueKey(db, KEY_PEPPER, workspace, mode, { name, scopes: chosen, expiresAt: expires });
    return { output, workspaceId: workspace, result: { keyId: output.keyId } };
  },
);
