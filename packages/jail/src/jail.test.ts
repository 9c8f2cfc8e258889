import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeTools, type Tools } from '@assay/testing/media/describe-tools.ts';
import { findProcesses, openToolRunner, users } from '@assay/testing/media/tool-runner.ts';
import { root } from '@assay/testing/run/root.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nobodyId } from './jail.ts';
import { jailLevels } from './levels.ts';
import type { Jail } from './source/source.ts';

const isRoot = process.getuid?.() === 0;

// A secret that must not be visible in the jail. It is stored in files in /etc and the temporary folder, and in an
// environment variable.
const secret = randomUUID();
const canaries = [join(tmpdir(), `assay-canary-${secret}`), ...(isRoot ? [`/etc/assay-canary-${secret}`] : [])];
const hostFiles = ['/etc/passwd', '/etc/hostname', join(root, 'package.json'), import.meta.filename, ...canaries];

/** Numbers, on x86-64 and arm64, of system calls that no tool needs. */
const forbiddenCalls: Record<string, [x64: number, arm64: number | null]> = {
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

for (const level of jailLevels) {
  describeTools(
    level,
    (runner) => {
      const attack = runner.readOutput;
      const expectKilled = async (script: string, options: Parameters<Tools['attack']>[1] = {}) => {
        const { failure } = await runner.attack(`${script}; print "survived: $!"`, options);
        expect([script, failure]).toEqual([
          script,
          {
            message: 'resource_limit_exceeded: /usr/bin/perl made a forbidden system call',
            errorType: 'resource_limit_exceeded',
            cause: '',
          },
        ]);
      };

      test('is killed when it opens a socket, whatever the socket’s family', async () => {
        // unix, inet, inet6, netlink, packet, bluetooth, alg, vsock, xdp
        for (const family of [1, 2, 10, 16, 17, 31, 38, 40, 44]) {
          await Promise.all([1, 2, 3].map((type) => expectKilled(`socket(my $s, ${family}, ${type}, 0)`)));
        }
        await expectKilled('socketpair(my $a, my $b, 1, 1, 0)');
      });

      test.each(Object.keys(forbiddenCalls))('is killed when it calls %s', async (name) => {
        const number = callNumber(forbiddenCalls[name] as [number, number | null]);
        if (number !== null) await expectKilled(`syscall(${number}, 0, 0, 0, 0, 0)`);
      });

      test('is killed when it forks or starts another program', async () => {
        for (const script of ['fork', 'system("/usr/bin/true")', '`true`', 'open(my $p, "-|", "/usr/bin/true")']) {
          await expectKilled(script);
        }
      });

      test('cannot read the host’s files by any path', async () => {
        const ways = ['', '/proc/1/root', '/proc/self/root', '/proc/1/cwd/..', '/oldroot', '/newroot', '/..'];
        const script = `for my $way (split /,/, shift) { for (@ARGV) {
      if (open(my $f, "<", "$way$_")) { local $/; print "$way$_ ", <$f> } } }`;
        const read = (jail: Jail) => attack(script, { jail, args: [ways.join(','), ...hostFiles] });
        expect(await read(level)).toBe('');
        expect(await read('none')).toContain(secret); // without a jail, the same script finds the files
      });

      test('does not inherit the file descriptors with which the worker was started', async () => {
        const text = await attack('for (0..1023) { print readlink("/proc/self/fd/$_") // "", "\\n" }');
        expect(text).toMatch(/ \(deleted\)$/m); // the file
        expect(text).not.toContain('canary');
      });

      test('can read the whole file as /in, but cannot change it', async () => {
        const content = Buffer.from('the whole file');
        const read = 'open(my $f, "<", shift); seek($f, -4, 2); print <$f>; seek($f, 0, 0); print " ", <$f>';
        expect(await attack(read, { content, args: ['/in'] })).toBe('file the whole file');

        const ways = ['"+<", shift', '">", shift', '">>", shift', '"+<", "/proc/self/fd/3"', '"+<&=", 3', '">&=", 3'];
        for (const way of ways) {
          const script = `print open(my $f, ${way}) ? syswrite($f, "x") // "refused" : "refused"`;
          const { end, content: after } = await runner.attack(script, { content, args: ['/in'] });
          expect([way, end?.stdout.toString(), after.toString()]).toEqual([way, 'refused', 'the whole file']);
        }
        for (const script of [
          'chmod 0666, shift',
          'open(my $f, "<", shift); chmod 0666, $f',
          'truncate shift, 1',
          'utime 1, 1, shift',
        ]) {
          const {
            end,
            failure,
            content: after,
          } = await runner.attack(`print((${script}) ? "done" : "refused")`, { content, args: ['/in'] });
          expect([script, failure ? 'ended' : end?.stdout.toString()]).not.toEqual([script, 'done']);
          expect(after.toString()).toBe('the whole file');
        }
      });

      test('has no capabilities and cannot gain any', async () => {
        const mark = randomUUID();
        const ended = runner.attack('select undef, undef, undef, 600', { args: [mark] });
        const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'latin1');
        const tool = () => findProcesses(mark).find((pid) => /^Name:\tperl\n/.test(statusOf(pid)));
        await expect.poll(tool).toBeDefined();
        const pid = tool() as number;
        const status = statusOf(pid);
        process.kill(pid, 'SIGKILL');
        await ended;
        // Without a user namespace only root can empty the bounding set. no_new_privs makes that set meaningless.
        for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb', ...(level === 'bubblewrap' ? ['CapBnd'] : [])])
          expect(status).toMatch(new RegExp(`${set}:\t0+\n`));
        expect(status).toMatch(/NoNewPrivs:\t1\n/);
        expect(status).toMatch(/Seccomp:\t2\n/);
        const uid = users[runner.user]?.uid ?? (isRoot ? nobodyId : process.getuid?.());
        expect(status).toMatch(new RegExp(`Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`));
      });
    },
    async (user) => {
      const inherited = openSync(canaries[0] as string, 'r');
      const opened = await openToolRunner(user, level, { environment: { ASSAY_CANARY: secret }, inherited });
      closeSync(inherited);
      return opened;
    },
  );
}
