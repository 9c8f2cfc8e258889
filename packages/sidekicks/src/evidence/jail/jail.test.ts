import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openToolRunner, type ToolRunner, userNames, users } from '../../../../../test/support/tool-runner.ts';
import { jailArguments, nobody } from './jail.ts';
import { bubblewrap } from './run-tool.ts';

const run = promisify(execFile);
const checkout = join(import.meta.dirname, '..', '..', '..', '..');
const isRoot = process.getuid?.() === 0;

// Must not be visible in the jail: files in /etc and in the folder for temporary files, and an environment variable.
const secret = randomUUID();
const canaries = [join(tmpdir(), `assay-canary-${secret}`), ...(isRoot ? [`/etc/assay-canary-${secret}`] : [])];
const hostFiles = ['/etc/passwd', '/etc/hostname', join(checkout, 'package.json'), import.meta.filename, ...canaries];

/** Numbers, on x86-64 and arm64, of system calls that no tool needs. */
const forbidden: Record<string, [x64: number, arm64: number | null]> = {
  fork: [57, null],
  vfork: [58, null],
  kill: [62, 129],
  setsid: [112, 157],
  setpgid: [109, 154],
  chroot: [161, 51],
  mount: [165, 40],
  pivot_root: [155, 41],
  unshare: [272, 97],
  setns: [308, 268],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  keyctl: [250, 219],
  open_by_handle_at: [304, 265],
  memfd_create: [319, 279],
  shmget: [29, 194],
  mq_open: [240, 180],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchown: [93, 55],
  utimensat: [280, 88],
  truncate: [76, 45],
  setxattr: [188, 5],
  linkat: [265, 37],
  mknodat: [259, 33],
  setuid: [105, 146],
  capset: [126, 91],
  seccomp: [317, 277],
  personality: [135, 92],
};
const callNumber = ([x64, arm64]: [number, number | null]) => (process.arch === 'arm64' ? arm64 : x64);

beforeAll(() => {
  for (const path of canaries) writeFileSync(path, secret, { mode: 0o644 });
});
afterAll(() => {
  for (const path of canaries) rmSync(path);
});

describe.each(userNames)('as %s', (user) => {
  const reason = users[user] ? '' : ' (skipped: only root can change the user)';
  describe.skipIf(reason)(`inside the jail${reason}`, () => {
    let runner: ToolRunner;
    beforeAll(async () => {
      const inherited = openSync(canaries[0] as string, 'r');
      runner = await openToolRunner(user, { environment: { ASSAY_CANARY: secret }, inherited });
      closeSync(inherited);
    });
    afterAll(() => runner.stop());
    /** Returns the script's output. The script must run to its end. */
    const attack = async (script: string, options: Parameters<ToolRunner['attack']>[1] = {}) => {
      const { end, failure } = await runner.attack(`${script}; print "\\nend"`, options);
      expect(failure).toBeNull();
      const text = end?.stdout.toString() ?? '';
      expect([text.endsWith('\nend'), end?.stderr]).toEqual([true, '']);
      return text.slice(0, -'\nend'.length);
    };
    const expectKilled = async (script: string, options: Parameters<ToolRunner['attack']>[1] = {}) => {
      const { failure } = await runner.attack(`${script}; print "survived: $!"`, options);
      expect([script, failure]).toEqual([
        script,
        {
          message: 'resource_limit_exceeded',
          errorType: 'resource_limit_exceeded',
          cause: '/usr/bin/perl made a forbidden system call',
        },
      ]);
    };

    test('kills a process that opens a socket of any family', async () => {
      // unix, inet, inet6, netlink, packet, bluetooth, alg, vsock, xdp
      for (const family of [1, 2, 10, 16, 17, 31, 38, 40, 44]) {
        for (const type of [1, 2, 3]) await expectKilled(`socket(my $s, ${family}, ${type}, 0)`);
      }
      await expectKilled('socketpair(my $a, my $b, 1, 1, 0)');
    });

    test.each(Object.keys(forbidden))('kills a process that calls %s', async (name) => {
      const number = callNumber(forbidden[name] as [number, number | null]);
      if (number !== null) await expectKilled(`syscall(${number}, 0, 0, 0, 0, 0)`);
    });

    test('kills a process that forks or starts another program', async () => {
      for (const script of ['fork', 'system("/usr/bin/true")', '`true`', 'open(my $p, "-|", "/usr/bin/true")']) {
        await expectKilled(script);
      }
    });

    test('hides the files of the host, whatever the path', async () => {
      const ways = ['', '/proc/1/root', '/proc/self/root', '/proc/1/cwd/..', '/oldroot', '/newroot', '/..'];
      const script = `for my $way (split /,/, shift) { for (@ARGV) {
        if (open(my $f, "<", "$way$_")) { local $/; print "$way$_ ", <$f> } } }`;
      const read = (jail: 'bubblewrap' | 'none') => attack(script, { jail, args: [ways.join(','), ...hostFiles] });
      expect(await read('bubblewrap')).toBe('');
      expect(await read('none')).toContain(secret); // the same script finds them without a jail
    });

    test('has only the folders that tools need, and only /tmp is writable', async () => {
      const list = async (path: string) =>
        (await attack(`opendir(my $d, "${path}"); print join ",", sort readdir $d`)).split(',');
      expect(await list('/')).toEqual(['.', '..', 'bin', 'dev', 'etc', 'in', 'lib', 'lib64', 'proc', 'tmp', 'usr']);
      expect((await list('/etc')).filter((name) => name !== 'fonts')).toEqual([
        '.',
        '..',
        'alternatives',
        'ld.so.cache',
      ]);
      expect(await list('/dev')).toEqual(['.', '..', 'null', 'urandom', 'zero']);
      expect(await list('/tmp')).toEqual(['.', '..']);
      const folders = '/,/dev,/etc,/usr,/usr/bin,/usr/lib,/usr/share,/etc/alternatives,/proc,/proc/sys/kernel,/tmp';
      expect(await attack(`for (split /,/, "${folders}") { print "$_ " if open(my $f, ">", "$_/x") }`)).toBe('/tmp ');
    });

    test('hides the environment of the worker and the processes of the host', async () => {
      const script = `print join(",", map { "$_=$ENV{$_}" } sort keys %ENV), " ";
        for (sort { $a <=> $b } grep { m|/\\d+$| } </proc/*>) {
          print "$_:"; open(my $f, "<", "$_/environ") or next; local $/; print <$f> }`;
      const text = await attack(script);
      expect(text).toMatch(/^HOME=\/tmp,LANG=C\.UTF-8,PATH=\/usr\/bin(,\w+=[^,]*)? /);
      expect(text).not.toContain(secret);
      expect(text.match(/\/proc\/\d+:/g)).toHaveLength(2); // the jail's first process and the tool
    });

    test('does not pass on descriptors that the worker was started with', async () => {
      const text = await attack('for (sort </proc/self/fd/*>) { print readlink($_) // "", "\\n" }');
      expect(text).toMatch(/ \(deleted\)$/m); // the file
      expect(text).not.toContain('canary');
    });

    test('has the whole file as /in, read-only', async () => {
      const content = Buffer.from('the whole file');
      const read = 'open(my $f, "<", "/in"); seek($f, -4, 2); print <$f>; seek($f, 0, 0); print " ", <$f>';
      expect(await attack(read, { content })).toBe('file the whole file');

      const ways = ['"+<", "/in"', '">", "/in"', '">>", "/in"', '"+<", "/proc/self/fd/3"', '"+<&=", 3', '">&=", 3'];
      for (const way of ways) {
        const script = `print open(my $f, ${way}) ? syswrite($f, "x") // "refused" : "refused"`;
        const { end, content: after } = await runner.attack(script, { content });
        expect([way, end?.stdout.toString(), after.toString()]).toEqual([way, 'refused', 'the whole file']);
      }
      for (const script of [
        'chmod 0666, "/in"',
        'open(my $f, "<", "/in"); chmod 0666, $f',
        'truncate "/in", 1',
        'utime 1, 1, "/in"',
      ]) {
        const {
          end,
          failure,
          content: after,
        } = await runner.attack(`print((${script}) ? "done" : "refused")`, { content });
        expect([script, failure ? 'ended' : end?.stdout.toString()]).not.toEqual([script, 'done']);
        expect(after.toString()).toBe('the whole file');
      }
    });

    test('keeps written files inside, and deletes them with the jail', async () => {
      const mark = randomUUID();
      const write = attack(
        `open(my $f, ">", "/tmp/${mark}"); print $f "x"; close $f; print -s "/tmp/${mark}"; select undef, undef, undef, 0.5`,
      );
      const seen: string[] = [];
      const watching = setInterval(() => seen.push(...readdirSync('/tmp').filter((name) => name.includes(mark))), 20);
      expect(await write).toBe('1');
      clearInterval(watching);
      expect([seen, existsSync(`/tmp/${mark}`), await attack('print join ",", </tmp/*>')]).toEqual([[], false, '']);
    });

    test('limits the size of /tmp', async () => {
      const script = `my $n = 0; for my $i (1..200) {
        open(my $f, ">", "/tmp/$i") or last; last unless defined syswrite($f, "x" x (1024 * 1024)) && ++$n } print $n`;
      const written = Number(await attack(script));
      expect(written).toBeGreaterThan(10);
      expect(written).toBeLessThanOrEqual(64);
    });

    test('has no capabilities and cannot gain any', async () => {
      const status = await attack('open(my $f, "<", "/proc/self/status"); print <$f>');
      for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
        expect(status).toMatch(new RegExp(`${set}:\t0+\n`));
      expect(status).toMatch(/NoNewPrivs:\t1\n/);
      expect(status).toMatch(/Uid:\t65534\t65534\t65534\t65534\n/);
    });
  });
});

describe('without the seccomp filter', () => {
  const identity = isRoot ? { uid: nobody, gid: nobody } : {};
  const withoutFilter = jailArguments()
    .slice(0, jailArguments().indexOf('--'))
    .filter((arg, i, all) => arg !== '--seccomp' && all[i - 1] !== '--seccomp');
  const inJail = (...command: string[]) => run(bubblewrap, [...withoutFilter, ...command], { ...identity, cwd: '/' });
  const connect = `use IO::Socket::INET; for (@ARGV) {
    my $s = IO::Socket::INET->new(PeerAddr => $_, Timeout => 2); print $s ? "connected " : "refused " }`;

  test('has no network: cannot connect to a listener on the host', async () => {
    const connections: Socket[] = [];
    const listener = createServer((socket) => connections.push(socket)).listen(0, '0.0.0.0');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    const addresses = ownAddresses().map((address) => `${address}:${port}`);
    expect(addresses.length).toBeGreaterThan(0);

    const { stdout: outside } = await run('/usr/bin/perl', ['-e', connect, ...addresses]);
    expect([outside, connections.length]).toEqual(['connected '.repeat(addresses.length), addresses.length]);
    const { stdout: inside } = await inJail('/usr/bin/perl', '-e', connect, ...addresses);
    expect([inside, connections.length]).toEqual(['refused '.repeat(addresses.length), addresses.length]);
    const { stdout: devices } = await inJail('/usr/bin/perl', '-ne', 'print $1 if /^ *(\\w+):/', '/proc/net/dev');
    expect(devices).toBe('lo');
    for (const socket of connections) socket.destroy();
    listener.close();
  });

  const reason = isRoot ? '' : ' (skipped: only root can count packets)';
  test.skipIf(reason)(`sends no packet${reason}`, async () => {
    const unusedUser = { uid: 54_322, gid: 54_322, cwd: '/' }; // no other process runs as this user
    const table = `assay_${secret.replaceAll('-', '')}`;
    const nft = async (...command: string[]) => (await run('/usr/sbin/nft', command)).stdout;
    const send = `use IO::Socket::INET; for (@ARGV) {
      my $s = IO::Socket::INET->new(PeerAddr => $_, Proto => "udp"); $s->send("x") if $s }`;
    const addresses = [...ownAddresses().map((address) => `${address}:9`), '192.0.2.1:9']; // the last: TEST-NET-1
    await nft('add', 'table', 'inet', table);
    try {
      await nft('add', 'chain', 'inet', table, 'out', '{ type filter hook output priority 0; }');
      await nft('add', 'rule', 'inet', table, 'out', 'meta', 'skuid', `${unusedUser.uid}`, 'counter', 'drop');
      const count = async () => Number(/packets (\d+)/.exec(await nft('list', 'table', 'inet', table))?.[1]);
      await run(bubblewrap, [...withoutFilter, '/usr/bin/perl', '-e', send, ...addresses], unusedUser);
      expect(await count()).toBe(0);
      await run('/usr/bin/perl', ['-e', send, ...addresses], unusedUser);
      expect(await count()).toBeGreaterThanOrEqual(addresses.length - 1); // there may be no route to TEST-NET-1
    } finally {
      await nft('delete', 'table', 'inet', table);
    }
  });

  test('cannot create another user namespace', async () => {
    await inJail('/usr/bin/true');
    await expect(inJail('/usr/bin/unshare', '--user', '/usr/bin/true')).rejects.toThrow(/unshare failed/);
  });
});

function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
