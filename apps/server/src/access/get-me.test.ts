import { prefixes } from '@assay/contract/route.ts';
import { describe, expect, test } from 'vitest';
import { openTestApi } from '../../../../test/support/api.ts';

const api = await openTestApi();
const workspace = await api.makeWorkspace('pro');

describe('GET /me', () => {
  describe('200: who the key is', () => {
    test.each(prefixes)('live and sandbox under %s (§0a, §5a, §5b, §5g)', async (prefix) => {
      for (const [key, mode] of [
        [workspace.liveKey, 'live'],
        [workspace.sandboxKey, 'sandbox'],
      ] as const) {
        expect(await api.client(key).get('/me', { prefix })).toMatchObject({
          status: 200,
          body: {
            workspaceId: workspace.workspaceId,
            mode,
            tier: 'pro',
            keyPrefix: key.slice(0, 12),
            credits: { used: 0 },
          },
        });
      }
    });

    test('credits are the sum of the ledger of this workspace alone', async () => {
      const other = await api.makeWorkspace();
      for (const [workspaceId, credits] of [
        [workspace.workspaceId, 3],
        [workspace.workspaceId, 4],
        [other.workspaceId, 100],
      ] as const) {
        await api.handles.db
          .insertInto('credit_entries')
          .values({ workspace_id: workspaceId, asset_id: crypto.randomUUID(), attempt: 1, credits })
          .execute();
      }
      const { body } = await api.client(workspace.liveKey).get('/me');
      expect(body.credits).toEqual({ used: 7 });
    });

    test('HEAD answers like GET, without a body', async () => {
      const answer = await api.client(workspace.liveKey).send('HEAD', '/me');
      expect(answer).toMatchObject({ status: 200, body: '' });
    });
  });
});
