import { scopes } from '@assay/contract/rights.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import { describe, expect, test } from 'vitest';
import { openAssay } from '../test/run-assay.ts';

const api = await openTestApi();
const workspace = await api.makeWorkspace();
const manageArgs = ['--workspace', workspace.workspaceId, '--mode', 'live', '--scopes', scopes.join(',')];
const { key: managerKey } = (await api.admin('key', 'create', ...manageArgs)) as { key: string };
const { run } = openAssay(api.url, managerKey);
const createKey = async (...more: string[]) => {
  const { stdout } = await run(['keys', 'create', 'Archive', ...more, '--json']);
  return JSON.parse(stdout) as { keyId: string; key: string; scopes: string[]; mode: string };
};

describe('assay keys', () => {
  test('creates a key that is shown once, lists it, renames it, lets it expire and revokes it', async () => {
    const { stdout } = await run(['keys', 'create', 'Publishing pipeline', '--scopes', 'read,submit']);
    const [key] = /sk_live_[0-9a-f]{64}/.exec(stdout) as RegExpExecArray;
    expect(stdout).toContain('The key is not shown again.');
    const { stdout: list } = await run(['keys', 'list']);
    expect(list).toMatch(/^ID +KEY +NAME +SCOPES +LAST USED +STATE\n/);
    expect(list).toMatch(/sk_live_\w{4}….{4} +Publishing pipeline +read, submit +never +valid$/m);
    expect(list).not.toContain(key);
    const { keyId } = JSON.parse((await run(['keys', 'list', '--json'])).stdout).keys[0];
    const expires = ['--expires', '2100-01-01T00:00:00Z'];
    expect((await run(['keys', 'update', keyId, '--name', 'Archive', ...expires])).stdout).toMatch(
      /^state +valid until /m,
    );
    expect((await run(['keys', 'update', keyId, '--expires', 'never'])).stdout).toMatch(/^state +valid$/m);
    expect((await run(['keys', 'revoke', keyId, '--yes'])).stdout).toBe('✓ Revoked Archive.\n');
    expect((await run(['keys', 'show', keyId])).stdout).toMatch(/^state +revoked /m);
    expect((await api.client(key).get('/me')).status).toBe(401);
  });

  test('creates a sandbox key with all scopes except manage if none are given', async () => {
    const created = await createKey('--mode', 'sandbox');
    expect(created).toMatchObject({ mode: 'sandbox', scopes: scopes.filter((scope) => scope !== 'manage') });
  });

  test.each([
    ['an unknown scope', ['create', 'x', '--scopes', 'write'], 2, 'Allowed: read, submit, decide'],
    ['a time that is none', ['create', 'x', '--expires', 'soon'], 2, 'Expected a time'],
    ['an unknown key', ['show', crypto.randomUUID()], 5, 'API key not found in this workspace'],
  ])('reports %s', async (_, args, exitCode, text) => {
    const { code, stderr } = await run(['keys', ...args]);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(text);
  });

  test('says that a key without the scope manage cannot list keys', async () => {
    const { code, stderr } = await openAssay(api.url, workspace.liveKey).run(['keys', 'list']);
    expect(code).toBe(5);
    expect(stderr).toContain('requires the scope `manage`');
  });
});
