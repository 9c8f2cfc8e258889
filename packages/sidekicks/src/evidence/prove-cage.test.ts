import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { nobody } from './cage.ts';
import { proveCage } from './prove-cage.ts';
import { bubblewrap } from './run-tool.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'assay-prove-cage-'));
chmodSync(folder, 0o755); // tools of root run as nobody
afterAll(() => rmSync(folder, { recursive: true }));

/** Something in bubblewrap's place: it runs what it is to run, after these changes to its arguments. */
function makeCage(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/usr/bin/perl\n${script}\nexec { "${bubblewrap}" } "bwrap", @ARGV;\n`, { mode: 0o755 });
  return path;
}

describe('the proof', () => {
  test('holds here', async () => {
    await proveCage();
    await proveCage(makeCage('as-it-is', ''));
  });

  test('fails without bubblewrap', async () => {
    await expect(proveCage(join(folder, 'none'))).rejects.toThrow(/^bubblewrap is not installed/);
  });

  test('fails with a filter that the kernel does not take', async () => {
    const broken = 'open(my $f, "<", "/dev/null"); require POSIX; POSIX::dup2(fileno($f), 4);';
    await expect(proveCage(makeCage('no-filter', broken))).rejects.toThrow(/could not be run: bwrap: /);
  });

  test('fails when nothing is filtered', async () => {
    const open =
      '@ARGV = map { $_ eq "--seccomp" ? () : $_ } @ARGV; splice @ARGV, (grep { $ARGV[$_] eq "4" } 0..$#ARGV)[0], 1;';
    await expect(proveCage(makeCage('unfiltered', open))).rejects.toThrow(/not ended when it asked for a socket/);
  });

  const separate = ['net', 'ipc', 'uts', 'cgroup'];
  test.each(separate)('fails when the cage shares the %s namespace', async (name) => {
    const kept = ['pid', ...separate].filter((other) => other !== name).map((other) => `"--unshare-${other}"`);
    const sharing = `@ARGV = map { $_ eq "--unshare-all" ? (${kept.join(', ')}) : $_ } @ARGV;`;
    const proof = proveCage(makeCage(`shared-${name}`, sharing));
    await expect(proof).rejects.toThrow(`a tool inside sees this machine (${name})`);
  });

  test('fails where no user namespace can be made, as in a container that does not permit it', async () => {
    const script = `import(${JSON.stringify(join(import.meta.dirname, 'prove-cage.ts'))}).then((it) => it.proveCage())`;
    const inside = ['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', process.execPath, '--eval', script];
    const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
    await expect(run(bubblewrap, inside, identity)).rejects.toThrow(/could not be run: bwrap: /);
  });
});
