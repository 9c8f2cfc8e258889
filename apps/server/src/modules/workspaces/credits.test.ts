import { randomUUID } from 'node:crypto';
import { openTestApi } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { WorkspaceId } from '#call/caller.ts';
import { chargeAsset, sumCreditsByMonth } from './store.ts';

const api = await openTestApi();
const { db } = api.handles;
const ownerDb = openOwnerDb();
const workspaceId = (await api.makeWorkspace()).workspaceId as WorkspaceId;
const readEntries = () => db.selectFrom('credit_entries').selectAll().where('workspace_id', '=', workspaceId).execute();

describe('the credit ledger', () => {
  const assetId = randomUUID();
  beforeAll(() => chargeAsset(db, workspaceId, assetId, 1));

  test('charges an attempt once, however often the charge is requested', async () => {
    await Promise.all([chargeAsset(db, workspaceId, assetId, 1), chargeAsset(db, workspaceId, assetId, 1)]);
    expect(await readEntries()).toHaveLength(1);
  });

  test('has entries that cannot be changed or deleted', async () => {
    const before = await readEntries();
    const ofWorkspace = ['workspace_id', '=', workspaceId] as const;
    for (const [role, reason] of [
      [db, 'permission denied'],
      [ownerDb, 'append-only'],
    ] as const) {
      const change = role.updateTable('credit_entries').set({ credits: 9 });
      await expect(change.where(...ofWorkspace).execute()).rejects.toThrow(reason);
      const removal = role.deleteFrom('credit_entries');
      await expect(removal.where(...ofWorkspace).execute()).rejects.toThrow(reason);
    }
    expect(await readEntries()).toEqual(before);
  });

  test('can be read by an operator as credits per month, also when it takes several pages', async () => {
    const entry = { workspace_id: workspaceId, attempt: 1 };
    const values = [
      { ...entry, asset_id: randomUUID(), credits: 2, created_at: new Date('2020-01-31T23:59:59Z') },
      { ...entry, asset_id: randomUUID(), credits: 3, created_at: new Date('2020-02-01T00:00:00Z') },
    ];
    await db.insertInto('credit_entries').values(values).execute();
    const months = await api.admin('workspace', 'credits', '--workspace', workspaceId);
    const thisMonth = { month: new Date().toISOString().slice(0, 7), credits: 1 };
    expect(months).toEqual([{ month: '2020-01', credits: 2 }, { month: '2020-02', credits: 3 }, thisMonth]);
    for (const assetsPerPage of [1, 2, 3])
      expect(await sumCreditsByMonth(db, workspaceId, assetsPerPage)).toEqual(months);
  });
});
