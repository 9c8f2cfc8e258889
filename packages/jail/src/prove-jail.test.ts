import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { users } from '@assay/testing/media/tool-runner.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { bubblewrap } from './bubblewrap.ts';
import { killedEscapes, refusedEscapes } from './escapes.ts';
import { nobodyId } from './jail.ts';
import { builtLauncher } from './landlock.ts';
import { checkJail, proveJail } from './prove-jail.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'assay-prove-jail-'));
chmodSync(folder, 0o755); // if the worker is root, tools run as nobody
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Writes a substitute for a program that makes a jail. It runs the script, which may change the arguments, and then
 * that program.
 */
function makeJailProgram(name: string, script: string, program = bubblewrap): string {
  const path = join(folder, name);
  const title = program.split('/').at(-1);
  writeFileSync(path, `#!/usr/bin/perl\n${script}\nexec { "${program}" } "${title}", @ARGV;\n`, { mode: 0o755 });
  return path;
}

/** Returns a Perl script that delivers these bytes instead of the seccomp filter. */
const deliverFilter = (bytes: string) =>
  `pipe(my $r, my $w); syswrite($w, ${bytes}); close $w; require POSIX; POSIX::dup2(fileno($r), 4);`;

describe('tryEscapes', () => {
  test('reports that escapes succeed without a jail, so that proveJail would detect a missing jail', async () => {
    const script = `import(${JSON.stringify(join(import.meta.dirname, 'prove-jail.ts'))}).then(async (it) =>
      console.log(JSON.stringify(await it.tryEscapes('none'))))`;
    const { stdout } = await run(process.execPath, ['--eval', script], { ...users['an ordinary user'], cwd: '/' });
    const attempts: { name: string; result: string }[] = JSON.parse(stdout);
    expect(attempts).toHaveLength(refusedEscapes.length + killedEscapes('x64').length);
    const failed = attempts.filter(({ result }) => result !== 'succeeded').map(({ name }) => name);
    // The file's mode forbids writing, and io_uring may be disabled or may exceed the limit on locked memory.
    expect(failed.filter((name) => name !== 'use io_uring')).toEqual(['write to the file']);
  });
});

describe('testing a bubblewrap jail for escapes', () => {
  test('succeeds on this host', async () => {
    await proveJail('bubblewrap');
    await proveJail('bubblewrap', makeJailProgram('as-it-is', ''));
    await checkJail('bubblewrap');
  });

  test('fails if bubblewrap is not installed', async () => {
    await expect(proveJail('bubblewrap', join(folder, 'none'))).rejects.toThrow(/^bubblewrap is not installed/);
  });

  test('fails if the kernel rejects the seccomp filter', async () => {
    const proof = proveJail('bubblewrap', makeJailProgram('no-filter', deliverFilter('""')));
    await expect(proof).rejects.toThrow(/could not be run: bwrap: /);
  });

  test('fails without a seccomp filter', async () => {
    const open =
      '@ARGV = map { $_ eq "--seccomp" ? () : $_ } @ARGV; splice @ARGV, (grep { $ARGV[$_] eq "4" } 0..$#ARGV)[0], 1;';
    for (const prove of [proveJail, checkJail]) {
      await expect(prove('bubblewrap', makeJailProgram('unfiltered', open))).rejects.toThrow(
        /a tool in the jail can .*open a network socket/,
      );
    }
  });

  const separate = ['net', 'ipc', 'uts', 'cgroup'];
  test.each(separate)('fails if the jail shares the host’s %s namespace', async (name) => {
    const kept = ['pid', ...separate].filter((other) => other !== name).map((other) => `"--unshare-${other}"`);
    const sharing = `@ARGV = map { $_ eq "--unshare-all" ? (${kept.join(', ')}) : $_ } @ARGV;`;
    const proof = proveJail('bubblewrap', makeJailProgram(`shared-${name}`, sharing));
    await expect(proof).rejects.toThrow(`a tool in the jail can share the ${name} namespace of the machine`);
  });

  test('fails if user namespaces are not permitted, as in some containers', async () => {
    await expect(proveWithoutNamespaces('bubblewrap')).rejects.toThrow(/could not be run: bwrap: /);
  });
});

describe('testing a Landlock jail for escapes', () => {
  const proveWith = (name: string, script: string, prove = proveJail) =>
    prove('landlock', makeJailProgram(name, script, builtLauncher()));

  test('succeeds on this host, even where user namespaces are not permitted', async () => {
    await proveJail('landlock');
    await checkJail('landlock');
    await proveWithoutNamespaces('landlock');
  });

  test('succeeds with the oldest supported Landlock version', async () => {
    await proveWith('oldest', '$ARGV[1] = 3;');
  });

  test('fails with an unsupported older Landlock version', async () => {
    await expect(proveWith('older', '$ARGV[1] = 2;')).rejects.toThrow(/landlock-jail: Landlock ABI 2 is too old/);
  });

  test('fails if the launcher is not built', async () => {
    await expect(proveJail('landlock', join(folder, 'none'))).rejects.toThrow(/^the launcher .* is not built/);
  });

  test('fails if the kernel rejects the seccomp filter', async () => {
    const proof = proveWith('empty', deliverFilter('""'));
    await expect(proof).rejects.toThrow(/landlock-jail: seccomp filter: Invalid argument/);
  });

  test('fails without a seccomp filter', async () => {
    const allowAll = deliverFilter('pack "SCCL", 6, 0, 0, 0x7fff0000');
    for (const prove of [proveJail, checkJail]) {
      await expect(proveWith('allow-all', allowAll, prove)).rejects.toThrow(/a tool in the jail can .*network socket/);
    }
  });

  test.each([
    ['/etc', 3, 'read a file of the machine'],
    ['/dev/ptmx', 4, 'open a terminal'],
    ['/proc', 3, 'list the processes of the machine'],
  ])('fails if %s is accessible in the jail', async (path, argument, name) => {
    const proof = proveWith(`accessible${path.replaceAll('/', '-')}`, `$ARGV[${argument}] .= ":${path}";`, checkJail);
    await expect(proof).rejects.toThrow(name);
  });
});

/** Runs `proveJail` in a user namespace that permits no nested user namespaces. */
async function proveWithoutNamespaces(level: string): Promise<void> {
  const module = JSON.stringify(join(import.meta.dirname, 'prove-jail.ts'));
  const script = `import(${module}).then((it) => it.proveJail(${JSON.stringify(level)}))`;
  const inside = ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', process.execPath, '--eval', script];
  const identity = process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {};
  await run(bubblewrap, inside, identity);
}
