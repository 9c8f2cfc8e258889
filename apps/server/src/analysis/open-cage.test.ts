import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bubblewrap } from '@assay/sidekicks/evidence/run-tool.ts';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { testEnvironment } from '../../../../test/support/api.ts';
import { startServerProcess } from '../../../../test/support/api-process.ts';
import { nodeEnvironment } from '../../../../test/support/node-environment.ts';
import { createOperationsServer, serveHealth } from '../http/operations.ts';
import { openCage } from './open-cage.ts';

const main = join(import.meta.dirname, '..', 'main.ts');
const folder = mkdtempSync(join(tmpdir(), 'assay-open-cage-'));
chmodSync(folder, 0o755); // tools of root run as nobody
afterAll(() => rmSync(folder, { recursive: true }));

const heard: { level: string; msg: string }[] = [];
const log = pino(
  { formatters: { level: (label) => ({ level: label }) } },
  { write: (line: string) => heard.push(JSON.parse(line)) },
);

/** The worker where bubblewrap hides something from it: how it ended and what it said. */
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

describe('required', () => {
  test('is a cage that has been proven, and says later whether it still holds', async () => {
    const copy = join(folder, 'bwrap');
    copyFileSync(bubblewrap, copy);
    const { cage, ask } = await openCage('required', log, copy);
    expect(cage).toBe('bubblewrap');

    const server = createOperationsServer();
    serveHealth(server, { cage: { ask: ask as () => Promise<void>, isRequired: true } }, { isStopping: false });
    const readiness = async () => {
      const { statusCode, body } = await server.inject('/readyz');
      return [statusCode, JSON.parse(body)];
    };
    expect(await readiness()).toEqual([200, { status: 'ready', parts: { cage: 'up' } }]);
    rmSync(copy);
    await expect.poll(readiness).toEqual([503, { status: 'not ready', parts: { cage: 'down' } }]);
    await server.close();
  });

  test('without bubblewrap there is none, and what to do is said', async () => {
    const opening = openCage('required', log, join(folder, 'none'));
    await expect(opening).rejects.toThrow(
      /^tools cannot be caged: bubblewrap is not installed: .*Install bubblewrap.*user namespaces.*TOOL_CAGE=off/,
    );
  });

  test.each([
    ['cannot run bubblewrap', ['--ro-bind', '/dev/null', bubblewrap]],
    ['may not make user namespaces', ['--unshare-user', '--disable-userns']],
  ])('a worker that %s refuses to start, in one message', { timeout: 60_000 }, async (_, hiding) => {
    const { code, stderr } = await startWorkerUnder(...hiding);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^the configuration is not usable:\n {2}TOOL_CAGE: tools cannot be caged: .*TOOL_CAGE=off.*\n$/,
      ),
    ]);
  });
});

describe('off', () => {
  test('warns, and is no cage', async () => {
    expect(await openCage('off', log)).toEqual({ cage: 'none', ask: null });
    expect(heard.at(-1)).toMatchObject({ level: 'warn', msg: expect.stringContaining('TOOL_CAGE is off') });
  });

  test('a worker starts, warns, and is ready without', { timeout: 60_000 }, async () => {
    const entries: Record<string, unknown>[] = [];
    const worker = await startServerProcess('worker', testEnvironment({ TOOL_CAGE: 'off' }), {
      onEntry: (entry) => entries.push(entry),
    });
    const answer = await fetch(`${worker.metricsUrl}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { parts: { cage: 'off' } }]);
    expect(entries).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('TOOL_CAGE') }),
    );
    expect(await worker.stop()).toBe(0);
  });
});
