import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { keyRecheckSeconds } from '@assay/contract/limits.ts';
import { usualScopes } from '@assay/contract/rights.ts';
import { openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { createClient } from '@assay/testing/service/client.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { hashKey } from './key.ts';

type IssuedKey = { keyId: string; key: string };

const environment = testEnvironment();
const api = await openTestApi(environment);
const serverProcesses = await Promise.all([1, 2].map(() => startServerProcess('api', environment)));
const processUrls = [api.url, ...serverProcesses.map(({ url }) => url)];
afterAll(() => Promise.all(serverProcesses.map((process) => process.stop())));

const workspace = await api.makeWorkspace('pro');
const issueKey = (...more: string[]) =>
  api.admin('key', 'create', '--workspace', workspace.workspaceId, '--mode', 'live', ...more) as Promise<IssuedKey>;
const statusOfEachProcess = (key: string) =>
  Promise.all(processUrls.map(async (url) => (await createClient(url, key).get('/me')).status));

describe('API keys', () => {
  test('consist of sk_live_ or sk_test_ and 64 hexadecimal characters (§5b)', () => {
    expect(workspace.liveKey).toMatch(/^sk_live_[0-9a-f]{64}$/);
    expect(workspace.sandboxKey).toMatch(/^sk_test_[0-9a-f]{64}$/);
  });

  test('are stored only as an HMAC and their first twelve and last four characters', async () => {
    await api.client(workspace.liveKey).get('/me');
    const { stdout } = await promisify(execFile)(
      '/usr/lib/postgresql/15/bin/pg_dump',
      ['--dbname', environment.MIGRATION_DATABASE_URL as string],
      { maxBuffer: 1024 ** 3 },
    );
    const secret = workspace.liveKey.slice('sk_live_'.length);
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain(Buffer.from(secret, 'hex').toString('base64'));
    for (let at = 4; at + 12 <= 60; at++) expect(stdout).not.toContain(secret.slice(at, at + 12));
    expect(stdout).toContain(hashKey(workspace.liveKey, api.config.KEY_PEPPER[0]).toString('hex'));
  });

  test(`are rejected by every process within ${keyRecheckSeconds} s after they are revoked`, async () => {
    const { keyId, key } = await issueKey();
    expect(await statusOfEachProcess(key)).toEqual([200, 200, 200]);
    await api.admin('key', 'revoke', '--key', keyId);
    const begin = Date.now();
    while ((await statusOfEachProcess(key)).includes(200)) {
      if (Date.now() - begin > (keyRecheckSeconds + 2) * 1000) expect.fail('still accepted');
      await sleep(100);
    }
    console.log(`refused everywhere after ${Date.now() - begin} ms`);
  });

  test('are rejected as soon as they expire, even by processes that cached them', async () => {
    const { key } = await issueKey('--expires', new Date(Date.now() + 3000).toISOString());
    expect(await statusOfEachProcess(key)).toEqual([200, 200, 200]);
    await sleep(3000);
    expect(await statusOfEachProcess(key)).toEqual([401, 401, 401]);
  });

  test('are rejected with the same response whether they are unknown, revoked or expired', async () => {
    const revoked = await issueKey();
    await api.admin('key', 'revoke', '--key', revoked.keyId);
    const expired = await issueKey('--expires', '2020-01-01T00:00:00Z');
    const unknown = `sk_live_${randomBytes(32).toString('hex')}`;
    const bodies = await Promise.all(
      [unknown, revoked.key, expired.key].map(async (key) => (await api.client(key).get('/me')).body),
    );
    const texts = bodies.map(({ requestId, ...rest }) => JSON.stringify(rest));
    expect(texts[0]).toContain('invalid_api_key');
    expect(new Set(texts).size).toBe(1);
  });

  test(`reflect a change of the workspace tier within ${keyRecheckSeconds} s`, async () => {
    const { liveKey, workspaceId } = await api.makeWorkspace('starter');
    expect((await api.client(liveKey).get('/me')).body.tier).toBe('starter');
    await api.admin('workspace', 'set-tier', '--workspace', workspaceId, '--tier', 'free');
    await sleep(keyRecheckSeconds * 1000);
    expect((await api.client(liveKey).get('/me')).status).toBe(402);
  });

  test('are listed with their name, their scopes and the time of their last use', async () => {
    const { keyId, key } = await issueKey('--name', 'Archive', '--scopes', 'read,submit');
    await api.client(key).get('/me');
    await sleep(200);
    const keys = (await api.admin('key', 'list', '--workspace', workspace.workspaceId)) as Record<string, unknown>[];
    const listed = keys.find((row) => row.keyId === keyId);
    expect(listed).toMatchObject({ name: 'Archive', scopes: ['read', 'submit'] });
    expect(keys[0]).toMatchObject({ name: null, scopes: usualScopes });
    expect(listed).toMatchObject({ mode: 'live', prefix: key.slice(0, 12), lastFour: key.slice(-4) });
    expect(listed?.lastUsedAt).toBeInstanceOf(Date);
    expect(JSON.stringify(keys)).not.toContain(key);
  });
});

describe('pnpm admin', () => {
  test('lists created workspaces', async () => {
    const { workspaceId } = await api.makeWorkspace('pro');
    const workspaces = (await api.admin('workspace', 'list')) as { workspaceId: string }[];
    expect(workspaces).toContainEqual(expect.objectContaining({ workspaceId, tier: 'pro' }));
  });

  test.each([
    ['an unknown command', ['workspace', 'paint'], /usage: admin/],
    [
      'an unknown tier',
      ['workspace', 'create', '--name', 'x', '--tier', 'gold'],
      /--tier must be one of: free, starter, pro, enterprise\./,
    ],
    ['a missing option', ['workspace', 'create', '--tier', 'pro'], /--name is required\./],
    ['an unknown option', ['workspace', 'list', '--all'], /--all/],
    [
      'a workspace that does not exist',
      ['key', 'create', '--workspace', crypto.randomUUID(), '--mode', 'live'],
      /Workspace not found/,
    ],
    [
      'a tier for a workspace that does not exist',
      ['workspace', 'set-tier', '--workspace', crypto.randomUUID(), '--tier', 'pro'],
      /Workspace not found/,
    ],
    [
      'an unknown scope',
      ['key', 'create', '--workspace', crypto.randomUUID(), '--mode', 'live', '--scopes', 'read,write'],
      /--scopes must be some of these, separated by commas: read, submit, decide, webhooks, profiles, manage\./,
    ],
    ['a key that does not exist', ['key', 'revoke', '--key', crypto.randomUUID()], /Key not found/],
    [
      'an expiry that is not a time',
      ['key', 'create', '--workspace', crypto.randomUUID(), '--mode', 'live', '--expires', 'soon'],
      /--expires must be a time in ISO 8601/,
    ],
  ])('reports %s', async (_, args, message) => {
    await expect(api.admin(...args)).rejects.toThrow(message);
  });
});
