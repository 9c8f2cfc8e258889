import { z } from 'zod';
import type { Call, Reply } from '#call/call.ts';
import { cutPage, decodeCursor } from '#call/cursor.ts';
import type { Handles } from '#platform/handles.ts';
import { presentKey } from './present-key.ts';
import { listKeys as findKeys } from './store.ts';

export async function listKeys({ caller, query }: Call<'listKeys'>, { db }: Handles): Promise<Reply<'listKeys'>> {
  const beforeId = decodeCursor(query.cursor, z.guid());
  const rows = await findKeys(db, caller.workspaceId, beforeId, query.limit + 1);
  const { items, ...page } = cutPage(rows, query.limit, (last) => last.keyId);
  return { keys: items.map(presentKey), ...page };
}
