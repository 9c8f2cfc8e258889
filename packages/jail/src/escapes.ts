import type { JailLevel } from './levels.ts';
import { type Architecture, callNumberOf, processCalls } from './system-calls.ts';

/**
 * Something that a tool must not be able to do. An escape that succeeds is harmless: it changes nothing, or removes
 * what it created.
 */
export type Escape = {
  name: string;
  /** Perl. Its value is true if the escape succeeded. `$worker` is the pid of the process that runs the tool. */
  script: string;
  /**
   * If set, the only kind of jail in which the escape is tried. In a bubblewrap jail, `$worker` is the pid of another
   * process or of none, and /proc is the jail's own.
   */
  only?: JailLevel;
};

/** The numbers, on x86-64 and arm64, of the system calls that escapes use. */
const callNumbers = {
  ...processCalls,
  kill: [62, 129],
  socket: [41, 198],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  io_uring_setup: [425, 425],
  keyctl: [250, 219],
  shmget: [29, 194],
  shmctl: [31, 195],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  setpriority: [141, 140],
  sched_setaffinity: [203, 122],
  unshare: [272, 97],
  memfd_create: [319, 279],
} as const;
type CallName = keyof typeof callNumbers;

/** Returns a function that formats a system call whose value is true if the call succeeds. */
function callsOf(architecture: Architecture) {
  return (name: CallName, ...args: string[]) =>
    `(${['syscall', [callNumberOf(callNumbers[name], architecture), ...args].join(', ')].join('(')}) != -1)`;
}

// Reading at address 0 fails with EFAULT (14) only if the process may read the worker's memory.
const readMemory = (call: ReturnType<typeof callsOf>) =>
  `my $b = "\\0" x 8; my $to = pack "PQ", $b, 8; my $from = pack "QQ", 0, 8;
   ${call('process_vm_readv', '0 + $worker', '$to', '1', '$from', '1', '0')} || $! == 14`;
const readLimits = (call: ReturnType<typeof callsOf>) =>
  `my $old = "\\0" x 16; ${call('prlimit64', '0 + $worker', '7', '0', '$old')}`;

const createFile = (path: string) => `open(my $f, ">", "${path}") && unlink "${path}"`;
const succeedsForAny = (open: string, ...paths: string[]) => `grep { ${open} } qw(${paths.join(' ')})`;

/** Escapes that fail with an error. One process tries all of them. */
export const refusedEscapes: Escape[] = [
  { name: 'read a file of the machine', script: 'open my $f, "<", "/etc/passwd"' },
  { name: 'list the folders of the machine', script: 'opendir my $d, "/"', only: 'landlock' },
  { name: 'list the processes of the machine', script: 'opendir my $d, "/proc"', only: 'landlock' },
  { name: 'write to the file', script: 'open my $f, "+<", "/proc/self/fd/3"' },
  { name: 'create a file in /tmp', script: createFile('/tmp/assay-escape-$$') },
  { name: 'create shared memory', script: createFile('/dev/shm/assay-escape-$$') },
  {
    name: 'create a folder',
    script: succeedsForAny('mkdir "$_/assay-escape-$$" and rmdir "$_/assay-escape-$$"', '/dev/shm', '/tmp', '/var/tmp'),
  },
  { name: 'open a terminal', script: 'open my $f, "+<", "/dev/ptmx"' },
  {
    name: 'use an ioctl that no tool needs (FIOASYNC)',
    script: 'pipe my $r, my $w; my $off = pack "i", 0; ioctl $r, 0x5452, $off',
  },
  { name: 'have signals sent to the worker (F_SETOWN)', script: 'pipe my $r, my $w; fcntl $r, 8, 0 + $worker' },
  { name: 'read the environment of the worker', script: 'open my $f, "<", "/proc/$worker/environ"', only: 'landlock' },
  { name: 'write to the memory of the worker', script: 'open my $f, "+<", "/proc/$worker/mem"', only: 'landlock' },
  {
    name: 'reach the files of the worker through /proc',
    script: 'defined readlink("/proc/$worker/cwd") || -e "/proc/$worker/root/usr" || chdir "/proc/$worker/cwd"',
    only: 'landlock',
  },
  {
    name: 'change how the worker is treated when memory runs out',
    script: 'open my $f, "+<", "/proc/$worker/oom_score_adj"',
    only: 'landlock',
  },
  {
    name: 'change how the tool itself is treated when memory runs out',
    script: 'open my $f, "+<", "/proc/self/oom_score_adj"',
  },
];

/** Escapes for which the process is killed. Each needs its own process. */
export function killedEscapes(architecture: Architecture): Escape[] {
  const call = callsOf(architecture);
  return [
    { name: 'open a network socket', script: 'socket my $s, 2, 1, 0' },
    { name: 'open a Unix socket', script: 'socket my $s, 1, 1, 0' },
    { name: 'start a process', script: 'my $child = fork; exit if defined $child && !$child; defined $child' },
    { name: 'send the worker a signal (kill)', script: 'kill 0, $worker' },
    {
      name: 'send the worker a signal (tgkill)',
      script: call('tgkill', '0 + $worker', '0 + $worker', '0'),
      only: 'landlock',
    },
    {
      name: 'read or change the limits of the worker (prlimit64)',
      script: readLimits(call),
      only: 'landlock',
    },
    { name: 'open the worker (pidfd_open)', script: call('pidfd_open', '0 + $worker', '0') },
    { name: 'read the memory of the worker (process_vm_readv)', script: readMemory(call) },
    { name: 'trace a process (ptrace)', script: call('ptrace', '0', '0', '0', '0') }, // PTRACE_TRACEME
    { name: 'change the priority of a process', script: call('setpriority', '0', '0', '19') },
    {
      name: 'change the CPUs of a process (sched_setaffinity)',
      script: `my $m = "\\xff" x 128; ${call('sched_setaffinity', '0', '128', '$m')}`,
    },
    { name: 'create a namespace (unshare)', script: `${call('unshare', '0x10000000')} || ${call('unshare', '0')}` },
    { name: 'use io_uring', script: `my $p = "\\0" x 120; ${call('io_uring_setup', '1', '$p')}` },
    { name: 'use a key ring (keyctl)', script: call('keyctl', '0', '-4', '1') },
    {
      name: 'share memory by System V IPC (shmget)',
      script: `my $id = syscall(${callNumberOf(callNumbers.shmget, architecture)}, 0, 4096, 0600);
        $id != -1 && ${call('shmctl', '$id', '0', '0')}`,
    },
    {
      name: 'open a POSIX message queue (mq_open)',
      script: `my $name = "assay-escape-$$"; ${call('mq_open', '$name', '0102', '0600', '0')} && ${call('mq_unlink', '$name')}`,
    },
    {
      name: 'create an executable file in memory (memfd_create)',
      script: `my $n = "x"; ${call('memfd_create', '$n', '0')}`,
    },
    { name: 'change the mode of the file', script: 'chmod 0444, "/proc/self/fd/3"' },
  ];
}

/** What an examiner must not be able to do. All of it fails with an error. */
export function examinerEscapes(architecture: Architecture): Escape[] {
  const call = callsOf(architecture);
  return [
    { name: 'read a file of the machine', script: 'open my $f, "<", "/etc/passwd"' },
    { name: 'list the folders of the machine', script: 'opendir my $d, "/"', only: 'landlock' },
    { name: 'list the processes of the machine', script: 'opendir my $d, "/proc"', only: 'landlock' },
    {
      name: 'create a file',
      script: ['/tmp', '/var/tmp', '/dev/shm'].map((path) => `(${createFile(`${path}/assay-escape-$$`)})`).join(' || '),
    },
    { name: 'read the environment of the worker', script: 'open my $f, "<", "/proc/$worker/environ"' },
    { name: 'read the memory of the worker', script: 'open my $f, "<", "/proc/$worker/mem"' },
    { name: 'list the open files of the worker', script: 'opendir my $d, "/proc/$worker/fd"' },
    { name: 'reach the files of the worker through /proc', script: 'defined readlink "/proc/$worker/cwd"' },
    { name: 'read the memory of the worker (process_vm_readv)', script: readMemory(call) },
    { name: 'trace the worker (ptrace)', script: call('ptrace', '0x4206', '0 + $worker', '0', '0') }, // PTRACE_SEIZE
    {
      name: 'take an open file of the worker (pidfd_getfd)',
      script: `my $p = syscall(${callNumberOf(callNumbers.pidfd_open, architecture)}, 0 + $worker, 0);
        $p != -1 && ${call('pidfd_getfd', '$p', '0', '0')}`,
    },
    { name: 'send the worker a signal (kill)', script: 'kill 0, $worker' },
    { name: 'send all processes a signal (kill)', script: 'kill 0, -1', only: 'landlock' },
    { name: 'send the worker a signal (tgkill)', script: call('tgkill', '0 + $worker', '0 + $worker', '0') },
    { name: 'have signals sent to the worker (F_SETOWN)', script: 'pipe my $r, my $w; fcntl $r, 8, 0 + $worker' },
    { name: 'read or change the limits of the worker (prlimit64)', script: readLimits(call) },
    {
      name: 'change the priority of the worker',
      script: 'setpriority(0, $worker, getpriority(0, $worker))',
      only: 'landlock',
    },
    { name: 'open a TCP socket', script: 'socket my $s, 2, 1, 0' },
    { name: 'open a UDP socket', script: 'socket my $s, 2, 2, 0' },
    { name: 'open a Unix socket', script: 'socket my $s, 1, 1, 0', only: 'landlock' },
    { name: 'create a namespace (unshare)', script: call('unshare', '0x10000000'), only: 'landlock' },
    { name: 'use io_uring', script: `my $p = "\\0" x 120; ${call('io_uring_setup', '1', '$p')}` },
    { name: 'use a key ring (keyctl)', script: call('keyctl', '0', '-4', '1') },
  ];
}
