import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { users } from '@assay/testing/media/tool-runner.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { examinerEscapes } from '../escapes.ts';
import { jailLevels } from '../levels.ts';
import type { Jail } from '../source/source.ts';
import { spawnInExaminerJail } from './examiner-jail.ts';
import { proveExaminerJail } from './prove-examiner-jail.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'assay-examiner-jail-'));
chmodSync(folder, 0o777);
afterAll(() => rmSync(folder, { recursive: true }));

const secret = randomUUID();
const configFile = join(folder, 'config.env');
writeFileSync(configFile, `KEY=${secret}`);
chmodSync(configFile, 0o666);
const nothingMore = { executable: [], readable: [] };

/** Runs a module's code as a user, in a process that has a secret in its environment. */
async function runAs(user: keyof typeof users, code: string): Promise<unknown> {
  const module = (file: string) => JSON.stringify(join(import.meta.dirname, file));
  const script = `
    import { tryExaminerEscapes } from ${module('prove-examiner-jail.ts')};
    import { protectThisProcess } from ${module('examiner-filter.ts')};
    import { spawnInExaminerJail } from ${module('examiner-jail.ts')};
    import { makeScratchFolder, openAnonymousFile } from ${module('../anonymous-file.ts')};
    import { text } from 'node:stream/consumers';
    const nothingMore = { executable: [], readable: [] };
    ${code}`;
  const options = { ...users[user], cwd: '/', env: { ASSAY_SECRET: secret, TMPDIR: folder } };
  const { stdout } = await run(
    '/usr/bin/setsid',
    ['--wait', process.execPath, '--input-type=module', '--eval', script],
    options,
  );
  return JSON.parse(stdout);
}

describe('a process that is started without a jail', () => {
  test('can do all that an examiner must not be able to do, so a missing jail would be noticed', async () => {
    const code = `console.log(JSON.stringify(await tryExaminerEscapes('none', nothingMore)))`;
    const attempts = (await runAs('an ordinary user', code)) as { name: string; result: string }[];
    expect(attempts).toHaveLength(examinerEscapes('x64').length);
    const failed = attempts.filter(({ result }) => result !== 'succeeded').map(({ name }) => name);
    expect(failed.filter((name) => name !== 'use io_uring')).toEqual([]); // io_uring may be disabled
  });
});

describe.each(jailLevels)('an examiner in a %s jail', (level) => {
  test.each(['root', 'an ordinary user'] as const)('of %s can do none of it', async (user) => {
    if (!users[user]) return; // the tests do not run as root
    const code = `console.log(JSON.stringify(await tryExaminerEscapes('${level}', nothingMore)))`;
    const attempts = (await runAs(user, code)) as { name: string; result: string }[];
    expect(attempts.length).toBeGreaterThan(20);
    expect(attempts.filter(({ result }) => result !== 'refused')).toEqual([]);
  });

  test('cannot read the secrets and files of its worker, signal it, or write anywhere', async () => {
    expect(await attack(level)).toEqual({ signals: 0, done: [] });
    expect(readdirSync(folder).filter((name) => !name.startsWith('assay-scratch-'))).toEqual(['config.env']);
    const { done, signals } = await attack('none');
    expect(done).toEqual(Object.keys(attacks));
    expect(signals).toBeGreaterThan(0);
    rmSync(join(folder, 'new'));
  });

  test('has only the files, processes and network of its jail when it is proved', async () => {
    await proveExaminerJail(level, nothingMore);
    const open = { executable: [], readable: ['/etc/passwd'] };
    await expect(proveExaminerJail(level, open)).rejects.toThrow(
      'an examiner in the jail can read a file of the machine',
    );
  });

  test('inherits no descriptor that it was not given, and no environment', async () => {
    const script =
      'opendir(my $d, "/proc/self/fd"); print join(",", sort grep { readlink("/proc/self/fd/$_") !~ m"^/(dev/null|proc)" } grep /\\d/, readdir $d), "|", join(",", keys %ENV)';
    const child = spawnInExaminerJail(level, ['/usr/bin/perl', '-e', script], nothingMore, {
      stdio: { 1: 'pipe' },
      env: {},
    });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout ?? []) chunks.push(chunk);
    expect(`${Buffer.concat(chunks)}`).toMatch(/^1\|(PWD)?$/);
  });
});

/** What an attacker would try in an examiner: Perl whose value is true if it worked. */
const attacks = {
  'read the environment': 'has_secret("/proc/$worker/environ")',
  'read the memory': 'open(my $f, "<", "/proc/$worker/mem")',
  'list the open files': 'opendir(my $d, "/proc/$worker/fd")',
  'read the file of another examination': 'has_secret("/proc/$worker/fd/$fd")',
  'read the configuration': 'has_secret($config)',
  'change the configuration': 'open(my $f, ">>", $config)',
  'create a file beside it': 'open(my $f, ">", "$folder/new")',
  'create a file in the folder of anonymous files': 'open(my $f, ">", "$scratch/new") && unlink "$scratch/new"',
  'list the folder of anonymous files': 'opendir(my $d, $scratch)',
  'end the worker': 'kill("TERM", $worker)',
  'end the group of the worker': 'kill("TERM", -$group)',
};

/** Tries all attacks on a process of an ordinary user with a secret; returns which of them worked. */
async function attack(jail: Jail): Promise<{ done: string[]; signals: number }> {
  const perl = `our ($worker, $group, $fd, $config, $folder, $scratch) = @ARGV;
    sub has_secret { open(my $f, "<", shift) or return 0; local $/; index(<$f>, "${secret}") >= 0 }
    ${Object.entries(attacks)
      .map(([name, attempt]) => `print "${name}\\n" if eval { ${attempt} };`)
      .join('\n')}`;
  const code = `
    let signals = 0;
    process.on('SIGTERM', () => signals++);
    const { file, reading } = await openAnonymousFile();
    await file.writeFile(${JSON.stringify(secret)});
    const args = [process.pid, protectThisProcess().group, reading.fd, ${JSON.stringify(configFile)}, ${JSON.stringify(folder)}, makeScratchFolder()];
    const command = ['/usr/bin/perl', '-e', ${JSON.stringify(perl)}, ...args.map(String)];
    const child = spawnInExaminerJail('${jail}', command, nothingMore, { stdio: { 1: 'pipe' }, env: {} });
    const done = (await text(child.stdout)).trim().split('\\n').filter(Boolean);
    await new Promise((resolve) => setTimeout(resolve, 100));
    console.log(JSON.stringify({ done, signals }));
    process.exit(0);`;
  return (await runAs('an ordinary user', code)) as { done: string[]; signals: number };
}
