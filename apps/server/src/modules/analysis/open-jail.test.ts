import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bubblewrap } from '@assay/jail/bubblewrap.ts';
import { builtLauncher } from '@assay/jail/landlock.ts';
import { nodeEnvironment } from '@assay/testing/run/node-environment.ts';
import { root } from '@assay/testing/run/root.ts';
import { testEnvironment } from '@assay/testing/service/api.ts';
import { startServerProcess } from '@assay/testing/service/api-process.ts';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { createOperationsServer, serveHealth } from '#http/operations.ts';
import { needsJail, openJail } from './open-jail.ts';

const mainFile = join(import.meta.dirname, '..', '..', 'main.ts');
const temporaryFolder = mkdtempSync(join(tmpdir(), 'assay-open-jail-'));
chmodSync(temporaryFolder, 0o755); // readable for the tools, which run as nobody if root starts them
afterAll(() => rmSync(temporaryFolder, { recursive: true }));

const entries: { level: string; msg: string }[] = [];
const log = pino(
  { formatters: { level: (label) => ({ level: label }) } },
  { write: (line: string) => entries.push(JSON.parse(line)) },
);

/** Starts a worker in a bubblewrap sandbox with these bubblewrap arguments; returns its exit code and stderr. */
async function startSandboxedWorker(...hiding: string[]): Promise<{ code: number; stderr: string }> {
  const args = ['--dev-bind', '/', '/', ...hiding, process.execPath, mainFile, 'worker'];
  const child = execFile(bubblewrap, args, { env: { ...nodeEnvironment, ...testEnvironment() } });
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

const copyProgram = (program: string, name = basename(program)) => {
  const copy = join(temporaryFolder, `copy-of-${name}`);
  copyFileSync(program, copy);
  return copy;
};
const missingProgram = join(temporaryFolder, 'none');

describe('TOOL_JAIL set to one level', () => {
  test.each([
    ['bubblewrap', bubblewrap],
    ['landlock', builtLauncher()],
  ] as const)('%s is tested at start, and readiness shows whether it still works', async (level, program) => {
    const copy = copyProgram(program);
    const { jail, examinerJail, checkHealth } = await openJail(level, log, { [level]: copy });
    const logged = { level: 'info', jail: level, examinerJail: level };
    expect([jail, examinerJail, entries.at(-1)]).toEqual([level, level, expect.objectContaining(logged)]);

    const server = createOperationsServer();
    const check = { check: checkHealth as () => Promise<void>, isRequired: true };
    serveHealth(server, { jail: check }, { isStopping: false }, { toolJail: level });
    const readiness = async () => {
      const { statusCode, body } = await server.inject('/readyz');
      return [statusCode, JSON.parse(body)];
    };
    expect(await readiness()).toEqual([200, { status: 'ready', parts: { jail: 'up' }, toolJail: level }]);
    rmSync(copy);
    await expect.poll(readiness).toEqual([503, { status: 'not ready', parts: { jail: 'down' }, toolJail: level }]);
    await server.close();
  });

  test('the level is tested only once per process, so a second worker starts without another test', async () => {
    const copy = copyProgram(bubblewrap, 'proven');
    await openJail('bubblewrap', log, { bubblewrap: copy });
    rmSync(copy);
    expect(await openJail('bubblewrap', log, { bubblewrap: copy })).toMatchObject({ jail: 'bubblewrap' });
  });

  test('a level that did not work is tested again on the next start', async () => {
    const copy = copyProgram(bubblewrap, 'repaired');
    rmSync(copy);
    await expect(openJail('bubblewrap', log, { bubblewrap: copy })).rejects.toThrow('cannot be jailed');
    copyProgram(bubblewrap, 'repaired');
    expect(await openJail('bubblewrap', log, { bubblewrap: copy })).toMatchObject({ jail: 'bubblewrap' });
  });

  test('a level that does not work causes an error, even if another level would work', async () => {
    await expect(openJail('bubblewrap', log, { bubblewrap: missingProgram })).rejects.toThrow(
      /^media tools cannot be jailed\. bubblewrap: bubblewrap is not installed/,
    );
  });

  test('a worker with TOOL_JAIL=landlock starts and reports landlock as its level', { timeout: 60_000 }, async () => {
    const worker = await startServerProcess('worker', testEnvironment({ TOOL_JAIL: 'landlock' }));
    const response = await fetch(`${worker.metricsUrl}/readyz`);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { parts: { jail: 'up' }, toolJail: 'landlock' },
    ]);
    const metrics = await (await fetch(`${worker.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('assay_tool_jail_info{level="landlock"} 1');
    expect(await worker.stop()).toBe(0);
  });
});

describe('TOOL_JAIL=auto', () => {
  test('uses bubblewrap if it works', async () => {
    expect(await openJail('auto', log)).toMatchObject({ jail: 'bubblewrap' });
  });

  test('uses Landlock if bubblewrap does not work, and logs why', async () => {
    expect(await openJail('auto', log, { bubblewrap: missingProgram })).toMatchObject({ jail: 'landlock' });
    expect(entries.at(-1)).toMatchObject({
      level: 'info',
      jail: 'landlock',
      failures: [expect.stringMatching(/^bubblewrap: bubblewrap is not installed/)],
    });
  });

  test('fails if neither level works, and explains why and what to do', async () => {
    await expect(openJail('auto', log, { bubblewrap: missingProgram, landlock: missingProgram })).rejects.toThrow(
      /^media tools cannot be jailed\. bubblewrap: .*not installed.*landlock: .*not built.*user namespaces.*TOOL_JAIL=off/,
    );
  });

  test.each([
    ['cannot run bubblewrap', ['--ro-bind', '/dev/null', bubblewrap]],
    ['cannot create user namespaces', ['--unshare-user', '--disable-userns']],
  ])(
    'a worker that %s and has no Landlock launcher fails to start with a single error message',
    { timeout: 60_000 },
    async (_, hiding) => {
      const { code, stderr } = await startSandboxedWorker(...hiding, '--ro-bind', '/dev/null', builtLauncher());
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /^Invalid configuration:\n {2}TOOL_JAIL: media tools cannot be jailed\. bubblewrap: .*landlock: .*TOOL_JAIL=off.*\n$/,
        ),
      ]);
    },
  );
});

const isRoot = process.getuid?.() === 0;

describe('the jail of the process that starts the tools', () => {
  // Root starts it as the user `nobody`, who cannot read the code here.
  const reason = isRoot ? '' : ' (skipped: only root starts processes as another user)';
  test.skipIf(reason)(
    `is missing if it cannot work, and the worker says so at its start${reason}`,
    async () => {
      const hidden = '/run/private/checkout';
      const sandbox = [
        ...[bubblewrap, '--die-with-parent', '--dev-bind', '/', '/', '--tmpfs', '/run'],
        ...['--perms', '0700', '--dir', dirname(hidden), '--bind', root, hidden],
      ];
      const entries: Record<string, unknown>[] = [];
      const worker = await startServerProcess('worker', testEnvironment(), {
        wrap: (command) => [...sandbox, ...command.map((part) => part.replace(root, hidden))],
        onEntry: (entry) => entries.push(entry),
      });
      const warned = entries.find(({ examinerJail }) => examinerJail !== undefined);
      expect(warned).toMatchObject({
        level: 'warn',
        jail: 'bubblewrap',
        examinerJail: 'none',
        failures: expect.arrayContaining([expect.stringMatching(/^bubblewrap, of the examiner: /)]),
      });
      await worker.stop();
    },
    60_000,
  );
});

describe('a worker that examines files', () => {
  test('hides its environment, memory and open files from other processes of its user', {
    timeout: 60_000,
  }, async () => {
    const user = isRoot ? ['/usr/bin/setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'] : [];
    const worker = await startServerProcess('worker', testEnvironment(), { wrap: (command) => [...user, ...command] });
    // They then belong to root, whoever runs the process.
    expect(['environ', 'mem', 'fd'].map((name) => statSync(`/proc/${worker.pid}/${name}`).uid)).toEqual([0, 0, 0]);
    expect(statSync(`/proc/${worker.pid}`).uid).toBe(isRoot ? 54_321 : process.getuid?.());
    await worker.stop();
  });
});

describe('a worker that serves no examination queue', () => {
  test('starts on a host where no jail works, and reports that it needs none', { timeout: 60_000 }, async () => {
    const hiding = ['--ro-bind', '/dev/null', bubblewrap, '--ro-bind', '/dev/null', builtLauncher()];
    const worker = await startServerProcess('worker', testEnvironment({ WORKER_QUEUES: 'control,sandbox,webhook' }), {
      wrap: (command) => [bubblewrap, '--die-with-parent', '--dev-bind', '/', '/', ...hiding, ...command],
    });
    const response = await fetch(`${worker.metricsUrl}/readyz`);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { parts: { jail: 'not needed' }, toolJail: 'not needed' },
    ]);
    const metrics = await (await fetch(`${worker.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('assay_tool_jail_info{level="not needed"} 1');
    await worker.stop('SIGKILL');
  });

  test.each(['video', 'audio', 'image', 'document'])('needs a jail as soon as it also serves the %s queue', (name) => {
    expect(needsJail([{ name: 'control' }, { name }])).toBe(true);
  });
});

describe('TOOL_JAIL=off', () => {
  test('logs a warning and uses no jail', async () => {
    expect(await openJail('off', log)).toEqual({ jail: 'none', examinerJail: 'none', checkHealth: null });
    expect(entries.at(-1)).toMatchObject({ level: 'warn', msg: expect.stringContaining('TOOL_JAIL is off') });
  });

  test('a worker starts with a warning and becomes ready without a jail', { timeout: 60_000 }, async () => {
    const entries: Record<string, unknown>[] = [];
    const worker = await startServerProcess('worker', testEnvironment({ TOOL_JAIL: 'off' }), {
      onEntry: (entry) => entries.push(entry),
    });
    const response = await fetch(`${worker.metricsUrl}/readyz`);
    expect([response.status, await response.json()]).toMatchObject([200, { parts: { jail: 'off' }, toolJail: 'off' }]);
    expect(entries).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('TOOL_JAIL') }),
    );
    expect(await worker.stop()).toBe(0);
  });
});
