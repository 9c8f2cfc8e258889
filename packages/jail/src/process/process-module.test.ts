import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { users } from '@assay/testing/media/tool-runner.ts';
import { describe, expect, test } from 'vitest';
import { processModule } from './process-module.ts';

const modulePath = JSON.stringify(join(import.meta.dirname, 'process-module.ts'));
const identity = users['an ordinary user'] ?? {};

/** Starts a process with a secret in its environment; returns what another process of its user can read of it. */
async function inspect(code: string): Promise<string> {
  const script = `import { processModule } from ${modulePath}; ${code}; console.log('ready'); setInterval(() => {}, 1000);`;
  const target = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...identity,
    cwd: '/',
    env: { ASSAY_SECRET: 'canary' },
  });
  await once(target.stdout, 'data');
  const attempts = [
    'my $f; open($f, "<", "/proc/$p/environ") and join("", <$f>) =~ /canary/ and print "environment "',
    'open(my $f, "<", "/proc/$p/mem") and print "memory "',
    'opendir(my $d, "/proc/$p/fd") and print "files "',
    'defined readlink("/proc/$p/cwd") and print "folder "',
  ];
  const perl = spawn('/usr/bin/perl', ['-e', `my $p = shift; { ${attempts.join(' } { ')} }`, `${target.pid}`], {
    ...identity,
    cwd: '/',
  });
  let output = '';
  perl.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(perl, 'close');
  target.kill();
  return output;
}

describe('refuseInspection', () => {
  test('hides environment, memory and open files from processes of the same user', async () => {
    expect(await inspect('processModule().refuseInspection()')).toBe('');
    expect(await inspect('')).toBe('environment memory files folder ');
  });

  test('leaves this process able to start programs in a jail and to use its own descriptors', async () => {
    const anonymous = JSON.stringify(join(import.meta.dirname, '..', 'anonymous-file.ts'));
    const prove = JSON.stringify(join(import.meta.dirname, '..', 'prove-jail.ts'));
    const script = `import { processModule } from ${modulePath};
      import { openAnonymousFile } from ${anonymous};
      import { proveJail } from ${prove};
      processModule().refuseInspection();
      const { file, reading } = await openAnonymousFile();
      await file.write('text');
      await proveJail('bubblewrap');
      await proveJail('landlock');
      console.log((await reading.readFile()).toString());
      process.exit(0);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      ...identity,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await once(child, 'close');
    expect(output).toBe('text\n');
  });
});

test('a descriptor reaches the other end of a pair of sockets', () => {
  const [here, there] = processModule().openSocketPair();
  const fd = openSync(import.meta.filename, 'r');
  expect(() => processModule().receiveDescriptor(there)).toThrow(/could not be received/);
  processModule().sendDescriptor(here, fd);
  closeSync(fd);
  const received = processModule().receiveDescriptor(there);
  const start = Buffer.alloc(6);
  readSync(received, start, 0, 6, 0);
  expect(`${start}`).toBe('import');
  expect(readFileSync(`/proc/self/fdinfo/${received}`, 'utf8')).toMatch(/^flags:\s+02/m); // closed on exec
  for (const one of [here, there, received]) closeSync(one);
  expect(() => processModule().sendDescriptor(here, 0)).toThrow(/could not be sent/);
});

test('a function refuses arguments that it does not take', () => {
  expect(() => processModule().sendDescriptor('1' as unknown as number, 0)).toThrow(TypeError);
  expect(() => (processModule().openMemoryFile as (n: number) => number)(1)).toThrow(TypeError);
});

test('the niceness of a process group applies to all its processes and threads', async () => {
  const script = `const { Worker } = require('node:worker_threads');
    new Worker('require("node:fs").writeSync(1, "ready"); setInterval(() => {}, 1000)', { eval: true });`;
  const child = spawn(process.execPath, ['--eval', script], { ...identity, cwd: '/', detached: true });
  await once(child.stdout, 'data');
  const pid = child.pid as number;
  processModule().setGroupNiceness(pid, 7);
  expect(getPriority(pid)).toBe(7);
  const nicenesses = readdirSync(`/proc/${pid}/task`).map((id) =>
    Number(
      readFileSync(`/proc/${pid}/task/${id}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[16],
    ),
  );
  expect(nicenesses.length).toBeGreaterThan(2);
  expect(new Set(nicenesses)).toEqual(new Set([7]));
  child.kill();
});
