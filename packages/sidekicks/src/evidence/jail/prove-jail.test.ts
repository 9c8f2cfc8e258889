import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { nobody } from './jail.ts';
import { proveJail } from './prove-jail.ts';
import { bubblewrap } from './run-tool.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'assay-prove-jail-'));
chmodSync(folder, 0o755); // if the worker is root, tools run as nobody
afterAll(() => rmSync(folder, { recursive: true }));

/** A replacement for bubblewrap: runs the script, which may change the arguments, and then bubblewrap. */
function makeJail(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/usr/bin/perl\n${script}\nexec { "${bubblewrap}" } "bwrap", @ARGV;\n`, { mode: 0o755 });
  return path;
}

describe('proveJail', () => {
  test('succeeds on this machine', async () => {
    await proveJail();
    await proveJail(makeJail('as-it-is', ''));
  });

  test('fails without bubblewrap', async () => {
    await expect(proveJail(join(folder, 'none'))).rejects.toThrow(/^bubblewrap is not installed/);
  });

  test('fails if the kernel rejects the seccomp filter', async () => {
    const broken = 'open(my $f, "<", "/dev/null"); require POSIX; POSIX::dup2(fileno($f), 4);';
    await expect(proveJail(makeJail('no-filter', broken))).rejects.toThrow(/could not be run: bwrap: /);
  });

  test('fails without a seccomp filter', async () => {
    const open =
      '@ARGV = map { $_ eq "--seccomp" ? () : $_ } @ARGV; splice @ARGV, (grep { $ARGV[$_] eq "4" } 0..$#ARGV)[0], 1;';
    await expect(proveJail(makeJail('unfiltered', open))).rejects.toThrow(/not killed when it opened a socket/);
  });

  const separate = ['net', 'ipc', 'uts', 'cgroup'];
  test.each(separate)('fails if the jail shares the %s namespace', async (name) => {
    const kept = ['pid', ...separate].filter((other) => other !== name).map((other) => `"--unshare-${other}"`);
    const sharing = `@ARGV = map { $_ eq "--unshare-all" ? (${kept.join(', ')}) : $_ } @ARGV;`;
    const proof = proveJail(makeJail(`shared-${name}`, sharing));
    await expect(proof).rejects.toThrow(`the jail shares namespaces with the host (${name})`);
  });

  test('fails if user namespaces are not permitted, as in some containers', async () => {
    const script = `import(${JSON.stringify(join(import.meta.dirname, 'prove-jail.ts'))}).then((it) => it.proveJail())`;
    const inside = ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', process.execPath, '--eval', script];
    const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    await expect(run(bubblewrap, inside, identity)).rejects.toThrow(/could not be run: bwrap: /);
  });
});
