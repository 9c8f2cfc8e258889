import { z } from 'zod';
import { selectWorkspaces } from '#modules/workspaces/store.ts';
import { command } from './command.ts';

export const listWorkspaces = command('', z.object({}), async (_, { handles: { db } }) => selectWorkspaces(db));
