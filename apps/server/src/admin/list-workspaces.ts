import { z } from 'zod';
import { selectWorkspaces } from '#modules/workspaces/store.ts';
import { defineCommand } from './command.ts';

export const listWorkspaces = defineCommand('', z.object({}), async (_, { handles: { db } }) => selectWorkspaces(db));
