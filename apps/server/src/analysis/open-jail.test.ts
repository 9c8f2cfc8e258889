import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bubblewrap } from '@assay/sidekicks/evidence/jail/run-tool.ts';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { testEnvironment } from '../../../../test/support/api.ts';
import { startServerProcess } from '../../../../test/support/api-process.ts';
import { nodeEnvironment } from '../../../../test/support/node-environment.ts';
import { createOperationsServer, serveHealth } from '../http/operations.ts';
import { openJail } from './open-jail.ts';

const main = join(import.meta.dirname, '..', 'main.ts');
const folder = mkdtempSync(join(tmpdir(), 'assay-open-jail-'));
chmodSync(folder, 0o755); // tools started by root run as nobody
afterAll(() => rmSync(folder, { recursive: true }));

const entries: { level: string; msg: string }[] = [];
const log = pino(
  { formatters: { level: (label) => ({ level: label }) } },
  { write: (line: string) => entries.push(JSON.parse(line)) },
);

/** Starts a worker in a bubblewrap sandbox that hides something; returns its exit code and output. */
async function startWorkerUnder(...hiding: string[]): Promise<{ code: number; stderr: string }> {
  const args = ['--dev-bind', '/', '/', ...hiding, process.execPath, main, 'worker'];
  const child = execFile(bubblewrap, args, { env: { ...nodeEnvironment, ...testEnvironment() } });
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

describe('auto', () => {
  test('proves the jail at start, and readiness shows whether it still works', async () => {
    const copy = join(folder, 'bwrap');
    copyFileSync(bubblewrap, copy);
    const { jail, checkHealth } = await openJail('auto', log, copy);
    expect(jail).toBe('bubblewrap');

    const server = createOperationsServer();
    serveHealth(
      server,
      { jail: { check: checkHealth as () => Promise<void>, isRequired: true } },
      { isStopping: false },
    );
    const readiness = async () => {
      const { statusCode, body } = await server.inject('/readyz');
      return [statusCode, JSON.parse(body)];
    };
    expect(await readiness()).toEqual([200, { status: 'ready', parts: { jail: 'up' } }]);
    rmSync(copy);
    await expect.poll(readiness).toEqual([503, { status: 'not ready', parts: { jail: 'down' } }]);
    await server.close();
  });

  test('fails without bubblewrap, and states what to do', async () => {
    const opening = openJail('auto', log, join(folder, 'none'));
    await expect(opening).rejects.toThrow(
      /^media tools cannot be jailed: bubblewrap is not installed: .*Install bubblewrap.*user namespaces.*TOOL_JAIL=off/,
    );
  });

  test.each([
    ['cannot run bubblewrap', ['--ro-bind', '/dev/null', bubblewrap]],
    ['cannot create user namespaces', ['--unshare-user', '--disable-userns']],
  ])('a worker that %s refuses to start, in one message', { timeout: 60_000 }, async (_, hiding) => {
    const { code, stderr } = await startWorkerUnder(...hiding);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Invalid configuration:\n {2}TOOL_JAIL: media tools cannot be jailed: .*TOOL_JAIL=off.*\n$/,
      ),
    ]);
  });
});

describe('off', () => {
  test('warns, and uses no jail', async () => {
    expect(await openJail('off', log)).toEqual({ jail: 'none', checkHealth: null });
    expect(entries.at(-1)).toMatchObject({ level: 'warn', msg: expect.stringContaining('TOOL_JAIL is off') });
  });

  test('a worker starts, warns, and is ready without a jail', { timeout: 60_000 }, async () => {
    const entries: Record<string, unknown>[] = [];
    const worker = await startServerProcess('worker', testEnvironment({ TOOL_JAIL: 'off' }), {
      onEntry: (entry) => entries.push(entry),
    });
    const answer = await fetch(`${worker.metricsUrl}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { parts: { jail: 'off' } }]);
    expect(entries).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('TOOL_JAIL') }),
    );
    expect(await worker.stop()).toBe(0);
  });
});
