import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { openTestApi } from '@assay/testing/service/api.ts';
import { openOwnerDb } from '@assay/testing/service/owner-db.ts';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Action } from '#modules/audit/store.ts';

type Page = { actions: Action[]; nextBefore: string | null };
type IssuedKey = { keyId: string; key: string };

const api = await openTestApi();
const { admin } = api;
const { db } = api.handles;
const ownerDb = openOwnerDb();
const list = (...options: string[]) => admin('action', 'list', '--json', ...options) as Promise<Page>;
const newest = async () => (await list('--limit', '1')).actions[0] as Action;
const createKey = (workspaceId: string) =>
  admin('key', 'create', '--workspace', workspaceId, '--mode', 'live') as Promise<IssuedKey>;

const [workspace, other] = [await api.makeWorkspace(), await api.makeWorkspace()];
const { keyId } = await createKey(other.workspaceId);
const doomed = (await admin('workspace', 'create', '--name', 'doomed', '--tier', 'pro')) as typeof workspace;
const ofDoomed = ['--workspace', doomed.workspaceId];
const ofWorkspace = ['--workspace', workspace.workspaceId];

/** Every command of `admin` that changes something, with what its record contains. */
const changes: [args: string[], expected: object][] = [
  [
    ['workspace', 'create', '--name', 'recorded', '--tier', 'pro'],
    {
      arguments: { name: 'recorded', tier: 'pro' },
      workspaceId: expect.any(String),
      result: { liveKeyId: expect.any(String), sandboxKeyId: expect.any(String) },
    },
  ],
  [['workspace', 'rename', ...ofWorkspace, '--name', 'new name'], { arguments: { name: 'new name' } }],
  [['workspace', 'set-tier', ...ofWorkspace, '--tier', 'starter'], { arguments: { tier: 'starter' } }],
  [['workspace', 'set-profile', ...ofWorkspace, '--profile', 'ebu-r128'], { arguments: { profile: 'ebu-r128' } }],
  [
    ['key', 'create', ...ofWorkspace, '--mode', 'sandbox', '--expires', '2100-01-01T00:00:00Z'],
    { arguments: { mode: 'sandbox', expires: '2100-01-01T00:00:00Z' }, result: { keyId: expect.any(String) } },
  ],
  [
    ['key', 'update', '--workspace', other.workspaceId, '--key', keyId, '--name', 'Archive', '--expires', 'never'],
    { arguments: { key: keyId, name: 'Archive', expires: 'never' }, workspaceId: other.workspaceId },
  ],
  [['key', 'revoke', '--key', keyId], { arguments: { key: keyId }, workspaceId: other.workspaceId }],
  [
    ['workspace', 'delete', ...ofDoomed, '--confirm', 'doomed'],
    {
      arguments: { workspace: doomed.workspaceId, confirm: 'doomed' },
      workspaceId: doomed.workspaceId,
      result: { deleted: expect.any(Object), left: expect.any(Object), isFinished: true },
    },
  ],
  [['secrets', 'rotate'], { workspaceId: null, result: { webhookSecrets: expect.any(Object) } }],
  [['storage', 'move', '--from', 'azure', '--to', 's3'], { workspaceId: null }],
];
const reads = [
  ['workspace', 'credits', ...ofWorkspace],
  ['workspace', 'list'],
  ['profile', 'list'],
  ['key', 'list', ...ofWorkspace],
  ['asset', 'explain', randomUUID()],
  ['action', 'list'],
];

describe('the record of admin actions', () => {
  test('has a test of every command', async () => {
    const usage = await admin('help').catch((error: Error) => error.message);
    const listed = [...(usage as string).matchAll(/^ {2}(?!doctor)(\w+ [\w-]+)/gm)].map(([, name]) => name);
    const tested = [...changes.map(([args]) => args), ...reads].map((args) => args.slice(0, 2).join(' '));
    expect(listed.sort()).toEqual(tested.sort());
  });

  test.each(changes.filter(([[name]]) => name !== 'storage'))(
    'says who ran %j, where, for which workspace, and what it led to',
    async (args, expected) => {
      await admin(...args, '--as', 'Ada Lovelace');
      expect(await newest()).toMatchObject({
        operator: 'Ada Lovelace',
        osUser: userInfo().username,
        host: hostname(),
        command: args.slice(0, 2).join(' '),
        outcome: 'completed',
        ...(args.includes(workspace.workspaceId) && { workspaceId: workspace.workspaceId }),
        ...expected,
      });
    },
  );

  test.each(reads)('has no entry for %s %s, which changes nothing', async (...args) => {
    const before = await newest();
    await admin(...args).catch((error: Error) => expect(error.message).toContain('not found'));
    expect(await newest()).toEqual(before);
  });

  test('has no entry for a change that was refused or that failed', async () => {
    const before = await newest();
    await expect(createKey(randomUUID())).rejects.toThrow('Workspace not found');
    await expect(admin('key', 'revoke', '--key', randomUUID())).rejects.toThrow('Key not found');
    await expect(admin('workspace', 'set-tier', ...ofWorkspace, '--tier', 'gold')).rejects.toThrow('--tier');
    await expect(admin('key', 'list', ...ofWorkspace, '--as', 'a\nb')).rejects.toThrow('--as needs a name');
    expect(await newest()).toEqual(before);
  });

  test('is written in the transaction of the change: if it cannot be written, nothing changes', async () => {
    const keys = async () => ((await admin('key', 'list', ...ofWorkspace)) as object[]).length;
    const before = await keys();
    await sql`alter table admin_actions add constraint refused check (host = '') not valid`.execute(ownerDb);
    await expect(createKey(workspace.workspaceId)).rejects.toThrow('refused');
    await sql`alter table admin_actions drop constraint refused`.execute(ownerDb);
    expect(await keys()).toBe(before);
  });

  test('shows when a long change started and how it ended, also if it fails', async () => {
    await admin('secrets', 'rotate');
    const last = (await list('--limit', '2')).actions;
    expect(last).toMatchObject([
      { command: 'secrets rotate', outcome: 'completed' },
      { command: 'secrets rotate', outcome: 'started', result: {} },
    ]);
    await db.transaction().execute(async (locked) => {
      await sql`lock table subscriptions in access exclusive mode`.execute(locked);
      await expect(admin('secrets', 'rotate')).rejects.toThrow();
    });
    expect((await list('--limit', '2')).actions).toMatchObject([{ outcome: 'failed' }, { outcome: 'started' }]);
  });

  test('contains no key and no secret', async () => {
    const { key } = await createKey(workspace.workspaceId);
    const { rows } = await sql<{ text: string }>`select a::text as text from admin_actions a`.execute(db);
    const text = rows.map((row) => row.text).join('\n');
    for (const secret of [key, workspace.liveKey, workspace.sandboxKey, api.config.KEY_PEPPER[0]]) {
      expect(text).not.toContain(secret.slice(8, 24));
      expect(text).not.toContain(secret.slice(-16));
    }
  });

  test('can be neither changed nor removed', async () => {
    for (const statement of [
      sql`update admin_actions set operator = 'somebody else'`,
      sql`delete from admin_actions`,
      sql`truncate admin_actions`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('permission denied');
      await expect(statement.execute(ownerDb)).rejects.toThrow('append-only');
    }
  });
});

describe('admin action list', () => {
  test('prints one line per action, newest first, without characters that a terminal obeys', async () => {
    const created = await createKey(workspace.workspaceId);
    await admin('workspace', 'create', '--name', "it's\u001b[2J\u202eab", '--tier', 'pro', '--as', 'Grace');
    const [line, before] = ((await admin('action', 'list', '--limit', '2')) as string).split('\n');
    const who = `'Grace, ${userInfo().username}@${hostname()}'`;
    expect(line).toContain(`Z ${who} completed workspace create --name 'it'\\''s\\u{1b}[2J\\u{202e}ab' --tier pro → `);
    expect(before).toContain(
      ` completed key create --mode live --workspace ${workspace.workspaceId} → keyId=${created.keyId}`,
    );
  });

  test('returns the actions of one workspace, page by page', async () => {
    const { workspaceId } = await api.makeWorkspace();
    for (let i = 0; i < 4; i++) await createKey(workspaceId);
    await createKey(workspace.workspaceId);
    const all = await list('--workspace', workspaceId);
    expect(all.actions.map(({ command }) => command)).toEqual([...Array(4).fill('key create'), 'workspace create']);
    expect(all.nextBefore).toBeNull();
    const first = await list('--workspace', workspaceId, '--limit', '3');
    const second = await list('--workspace', workspaceId, '--limit', '3', '--before', `${first.nextBefore}`);
    expect([...first.actions, ...second.actions]).toEqual(all.actions);
    expect(second.nextBefore).toBeNull();
    const text = (await admin('action', 'list', '--workspace', workspaceId, '--limit', '3')) as string;
    expect(text.split('\n').at(-1)).toBe(`Older actions: --before ${first.nextBefore}`);
  });
});
