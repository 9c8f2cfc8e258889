import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describeTools } from '@assay/testing/media/describe-tools.ts';
import { openToolRunner, users } from '@assay/testing/media/tool-runner.ts';
import { root } from '@assay/testing/run/root.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { builtLauncher, launcherArguments } from './landlock.ts';
import { assembleFilter } from './seccomp-filter.ts';
import { type Architecture, allowedCalls, callNumberOf, processCalls } from './system-calls.ts';

const secret = randomUUID();
const folder = mkdtempSync(join(tmpdir(), 'assay-landlock-'));
const canary = join(folder, 'canary');
writeFileSync(canary, secret);
chmodSync(folder, 0o777); // every user may write here
chmodSync(canary, 0o666);
afterAll(() => rmSync(folder, { recursive: true }));

describeTools(
  'landlock',
  (runner) => {
    const attack = runner.readOutput;

    test('can list only the folders that tools need', async () => {
      const folders = ['/', '/dev', '/dev/shm', '/etc', '/home', '/proc', '/proc/self', '/root', '/run', '/sys'];
      const more = ['/tmp', '/usr', '/usr/local', '/usr/sbin', '/var', '/var/tmp', root, folder];
      const needed = ['/usr/bin', '/usr/lib', '/usr/share', '/etc/alternatives'];
      const args = [...folders, ...more, ...needed];
      const listed = await attack('for (@ARGV) { print "$_ " if opendir(my $d, $_) }', { args });
      expect(listed.trim().split(' ')).toEqual(needed);
    });

    test('cannot create, change or remove any file', async () => {
      const ways = [
        'open(my $f, ">", "$folder/x")',
        'sysopen(my $f, $folder, 020200002)', // O_TMPFILE
        'mkdir("$folder/y") && rmdir("$folder/y")',
        'rename("$folder/canary", "$folder/y") && rename("$folder/y", "$folder/canary")',
        'open(my $f, ">>", "$folder/canary")',
        'sysopen(my $f, "$folder/canary", 01001)', // O_TRUNC
        'sysopen(my $f, "$folder/canary", 01000)', // O_TRUNC with O_RDONLY
        'unlink("$folder/canary")',
      ];
      const script = `my $folder = shift; ${ways.map((way) => `print +(${way}) ? 1 : 0;`).join('\n')}`;
      expect(await attack(script, { args: [folder] })).toBe('0'.repeat(ways.length));
      expect([readdirSync(folder), readFileSync(canary, 'utf8')]).toEqual([['canary'], secret]);

      expect(await attack(script, { args: [folder], jail: 'none' })).toBe('1'.repeat(ways.length));
      rmSync(join(folder, 'x'));
      writeFileSync(canary, secret);
      chmodSync(canary, 0o666);
    });

    test('cannot run a program outside the folders that tools need', async () => {
      // The worker can: its own programs are made executable one by one.
      const script = 'my $program = shift; exec { $program } "node", "--version" or print "$!"';
      expect(await attack(script, { args: [process.execPath] })).toBe('Permission denied');
    });

    test('cannot read the worker’s environment, or anything in /proc about other processes', async () => {
      const environment = await attack('print join(",", map { "$_=$ENV{$_}" } sort keys %ENV)');
      expect(environment).toMatch(/^HOME=\/,LANG=C\.UTF-8,PATH=\/usr\/bin(,\w+=[^,]*)?$/);
      const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
      expect(pids).toContain(`${runner.child.pid}`);
      const script = `for my $p (@ARGV) {
      for (qw(environ cmdline maps mem status stat autogroup oom_score_adj task/$p/comm)) {
        print "$p/$_ " if open(my $f, "<", "/proc/$p/$_") || open($f, ">", "/proc/$p/$_") }
      for (qw(cwd root exe fd/0)) { print "$p/$_ " if defined readlink("/proc/$p/$_") } }`;
      expect(await attack(script, { args: pids })).toBe('');
    });
  },
  (user) => openToolRunner(user, 'landlock', { environment: { ASSAY_CANARY: secret } }),
);

// Seccomp and Landlock both block most escapes. Each is tested without the other, in a process of an ordinary user.
describe('each protection of the Landlock jail, tested in isolation', () => {
  const identity = users['an ordinary user'] ?? {};
  const architecture = process.arch as Architecture;
  const abi = Number(execFileSync('/usr/bin/perl', ['-e', 'print syscall(444, 0, 0, 1)'])); // landlock_create_ruleset
  const allowAll = Buffer.from([0x06, 0, 0, 0, 0, 0, 0xff, 0x7f]);
  const oldestAbi = 3; // has no rules for the network or for signals
  const fd = openSync('/dev/null', 'r');

  const inJail = async (script: string, args: string[], { isFiltered = false, abiMax = abi } = {}) => {
    const child = spawn(
      builtLauncher(),
      [...launcherArguments('/usr/bin/perl', abiMax), '/usr/bin/perl', '-e', script, ...args],
      {
        ...identity,
        cwd: '/',
        stdio: ['ignore', 'pipe', 'inherit', fd, 'pipe'],
      },
    );
    (child.stdio[4] as Duplex).end(isFiltered ? assembleFilter(architecture, child.pid ?? 0) : allowAll);
    const [output, [, signal]] = await Promise.all([text(child.stdout as Duplex), once(child, 'close')]);
    return signal ? `${signal}` : output;
  };

  const victim = spawn('/usr/bin/sleep', ['600'], { ...identity, cwd: '/' });
  afterAll(() => victim.kill());
  const call = (name: keyof typeof processCalls, ...args: string[]) =>
    `syscall(${[callNumberOf(processCalls[name], architecture), ...args].join(', ')}) != -1`;
  const did = (way: string) => `print +(${way}) ? "done" : "refused"`;
  const signalling = {
    tgkill: did(call('tgkill', '0 + $ARGV[0]', '0 + $ARGV[0]', '0')),
    // Uses F_SETOWN, F_SETSIG with SIGWINCH (ignored by default), and O_ASYNC.
    fcntl: `pipe(my $r, my $w); ${did('fcntl($r, 8, 0 + $ARGV[0]) && fcntl($r, 10, 28) && fcntl($r, 4, 020000)')}`,
    prlimit64: `my $old = "\\0" x 16; ${did(call('prlimit64', '0 + $ARGV[0]', '7', '0', '$old'))}`,
  };

  test.each([
    ['tgkill', 'SIGSYS'],
    ['prlimit64', 'SIGSYS'],
    ['fcntl', 'refused'],
  ] as const)('the seccomp filter alone stops %s on another process', async (name, end) => {
    const attempt = (isFiltered: boolean) =>
      inJail(signalling[name], [`${victim.pid}`], { isFiltered, abiMax: oldestAbi });
    expect(await attempt(true)).toBe(end);
    expect(await attempt(false)).toBe('done'); // the oldest supported Landlock version does not stop this
  });

  const reason = abi < 6 ? ' (skipped: needs Landlock ABI 6)' : '';
  test.skipIf(reason)(`Landlock alone stops signals to other processes${reason}`, async () => {
    expect(await inJail(signalling.tgkill, [`${victim.pid}`])).toBe('refused');
  });

  test.skipIf(reason)(`Landlock alone stops TCP connections and connections to abstract sockets${reason}`, async () => {
    const tcp = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    const name = `assay-${secret}`;
    const abstract = createServer((socket) => socket.destroy()).listen(`\0${name}`);
    await Promise.all([once(tcp, 'listening'), once(abstract, 'listening')]);
    const { port } = tcp.address() as { port: number };
    const script = `use Socket; my ($port, $name) = @ARGV;
      socket(my $tcp, 2, 1, 0); print connect($tcp, pack_sockaddr_in($port, inet_aton("127.0.0.1"))) ? "tcp " : "";
      socket(my $unix, 1, 1, 0); print connect($unix, pack("S", 1) . "\\0$name") ? "unix " : "";`;
    expect(await inJail(script, [`${port}`, name])).toBe('');
    expect(await inJail(script, [`${port}`, name], { abiMax: oldestAbi })).toBe('tcp unix ');
    tcp.close();
    abstract.close();
  });

  test('the launcher limits the user’s total number of threads', async () => {
    const getrlimit = callNumberOf(allowedCalls.getrlimit ?? [0, 0], architecture);
    const read = `my $limits = "\\0" x 16; syscall(${getrlimit}, 6, $limits); print join " ", unpack "QQ", $limits`;
    const [soft = 0, hard = 0] = (await inJail(read, [])).split(' ').map(Number);
    expect(hard).toBe(soft);
    expect(soft).toBeGreaterThan(1024);
    expect(soft).toBeLessThanOrEqual(1024 + 4096); // the user who runs the test has fewer than 4096 threads
  });

  test('the launcher exits without running the tool if the process that started it is gone', async () => {
    const [, ...rest] = launcherArguments('/usr/bin/perl');
    const child = spawn(builtLauncher(), ['1', ...rest, '/usr/bin/perl', '-e', 'print "ran"'], {
      ...identity,
      cwd: '/',
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect([output, code]).toEqual(['', 126]);
  });
});
