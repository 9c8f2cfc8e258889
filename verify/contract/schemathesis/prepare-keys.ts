import { createClient } from '@assay/testing/service/client.ts';

const managersCount = 20;
const keysToRevoke = 80;

export type KnownKeys = {
  /** Keys that may manage keys, each of a workspace of its own, because the number of keys per workspace is limited. */
  managers: string[];
  /** Keys of the workspace of the first manager, to be read and changed. */
  keyIds: string[];
  /** Keys of that workspace that may be revoked. */
  toRevoke: { key_id: string }[];
  cursor: string;
};

export async function prepareKeys(url: string, makeManager: () => Promise<string>): Promise<KnownKeys> {
  const managers: string[] = [];
  while (managers.length < managersCount) managers.push(await makeManager());
  const manager = createClient(url, managers[0]);
  const several = async (count: number) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await manager.post('/keys', { name: `key ${ids.length}` })).body.keyId);
    return ids;
  };
  const keyIds = await several(5);
  const toRevoke = (await several(keysToRevoke)).map((key_id) => ({ key_id }));
  const { body: page } = await manager.get('/keys?limit=1');
  return { managers, keyIds, toRevoke, cursor: page.nextCursor };
}
