import {
  type Architecture,
  allowedCalls,
  callNumberOf,
  conditionalCalls,
  processCalls,
  refusedCalls,
} from './system-calls.ts';

// One instruction of classic BPF (`struct sock_filter`).
type Instruction = readonly [code: number, jumpIfTrue: number, jumpIfFalse: number, operand: number];
const instructionBytes = 8;

// From linux/bpf_common.h.
const load = 0x20; // a 32-bit word of the seccomp data
const ifEqual = 0x15;
const ifAnyBit = 0x45;
const returnAction = 0x06;

// Offsets in `struct seccomp_data` of linux/seccomp.h. Only the lower half of an argument is checked.
const numberOffset = 0;
const architectureOffset = 4;
const argumentOffset = (index: number) => 16 + 8 * index;

const actions = {
  kill: 0x8000_0000, // the whole process, by SIGSYS
  allow: 0x7fff_0000,
  error: (errno: number) => 0x0005_0000 | errno,
};
const allow: Instruction = [returnAction, 0, 0, actions.allow];
const errno = { ESRCH: 3, EINVAL: 22, ENOTTY: 25, ENOSYS: 38 };

/** AUDIT_ARCH_* from linux/audit.h. A call that uses the numbers of another architecture has a different value. */
const auditArchs: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

const cloneThread = 0x0001_0000;
const cloneNewNamespaces = 0x7e02_0000; // mount, cgroup, uts, ipc, user, pid and net together

// These query terminals and descriptors and set descriptor flags. None inserts input into a terminal (TIOCSTI,
// TIOCLINUX).
const allowedIoctls = {
  TCGETS: 0x5401,
  TIOCGWINSZ: 0x5413,
  FIONREAD: 0x541b,
  FIONBIO: 0x5421,
  FIONCLEX: 0x5450,
  FIOCLEX: 0x5451,
};
// These copy descriptors and read or set their flags. F_SETOWN is not allowed: with it, the kernel sends signals to any
// process of the user.
const allowedFcntls = {
  F_DUPFD: 0,
  F_GETFD: 1,
  F_SETFD: 2,
  F_GETFL: 3,
  F_SETFL: 4,
  F_DUPFD_CLOEXEC: 1030,
  F_GETPIPE_SZ: 1032,
};
const allowedPrctls = { PR_GET_DUMPABLE: 3, PR_SET_NAME: 15, PR_GET_NAME: 16, PR_CAPBSET_READ: 23 };
// bubblewrap sets this parent-death signal on the first process in the jail, to which the filter applies too. The
// signal must not be cleared.
const dieWithParent = { PR_SET_PDEATHSIG: 1, SIGKILL: 9 };

/**
 * The seccomp filter in the kernel's format. A call that is not in the lists kills the process: no decoder needs it, so
 * the process may be under an attacker's control.
 *
 * @param ownPid the process to which the filter applies, if it shares its process namespace with others
 */
export function assembleFilter(architecture: Architecture, ownPid: number | null): Buffer {
  return assemble(instructionsFor(architecture, ownPid));
}

function instructionsFor(architecture: Architecture, ownPid: number | null): Instruction[] {
  const each = (calls: typeof allowedCalls, action: number) =>
    Object.values(calls).flatMap((numbers) =>
      forCall(callNumberOf(numbers, architecture), [[returnAction, 0, 0, action]]),
    );
  const calls = { ...conditionalCalls, ...processCalls };
  const only = (name: keyof typeof calls, rule: Instruction[]) =>
    forCall(callNumberOf(calls[name], architecture), rule);
  /** Allows a call whose argument of this index names the calling process, by 0 or by its id. */
  const itself = (index: number, elseAction: number) =>
    ownPid === null ? [allow] : allowArgumentValues(index, [0, ownPid], elseAction);
  return [
    [load, 0, 0, architectureOffset],
    [ifEqual, 1, 0, auditArchs[architecture]],
    [returnAction, 0, 0, actions.kill],
    [load, 0, 0, numberOffset],
    // Only threads of the same process: a tool that cannot fork leaves no process behind.
    ...only('clone', [
      [load, 0, 0, argumentOffset(0)],
      [ifAnyBit, 1, 0, cloneNewNamespaces],
      [ifAnyBit, 1, 0, cloneThread],
      [returnAction, 0, 0, actions.kill],
      allow,
    ]),
    ...only('fcntl', allowArgumentValues(1, Object.values(allowedFcntls), actions.error(errno.EINVAL))),
    ...only('ioctl', allowArgumentValues(1, Object.values(allowedIoctls), actions.error(errno.ENOTTY))),
    ...only('prctl', [
      [load, 0, 0, argumentOffset(0)],
      [ifEqual, 0, 4, dieWithParent.PR_SET_PDEATHSIG],
      [load, 0, 0, argumentOffset(1)],
      [ifEqual, 1, 0, dieWithParent.SIGKILL],
      [returnAction, 0, 0, actions.error(errno.EINVAL)],
      allow,
      ...allowArgumentValues(0, Object.values(allowedPrctls), actions.error(errno.EINVAL)),
    ]),
    // These can harm another process. glibc calls them with 0 or the caller's own id.
    ...only('prlimit64', itself(0, actions.kill)),
    ...only('tgkill', itself(0, actions.kill)),
    // These only return information. glibc calls some of them with the id of a thread.
    ...only('getpgid', itself(0, actions.error(errno.ESRCH))),
    ...only('getpriority', itself(1, actions.error(errno.ESRCH))),
    ...only('getsid', itself(0, actions.error(errno.ESRCH))),
    ...only('sched_getaffinity', itself(0, actions.error(errno.ESRCH))),
    ...only('sched_getparam', itself(0, actions.error(errno.ESRCH))),
    ...only('sched_getscheduler', itself(0, actions.error(errno.ESRCH))),
    ...each(refusedCalls, actions.error(errno.ENOSYS)),
    ...each(allowedCalls, actions.allow),
    [returnAction, 0, 0, actions.kill],
  ];
}

/** Applies the rule to the call of this number. A rule ends with a return, because it may replace the loaded number. */
function forCall(number: number | null, rule: Instruction[]): Instruction[] {
  return number === null ? [] : [[ifEqual, 0, rule.length, number], ...rule];
}

/**
 * Allows these values of an argument. For others, most rules return an error: tools also try calls that they do not
 * need.
 */
function allowArgumentValues(index: number, values: number[], elseAction: number): Instruction[] {
  return [
    [load, 0, 0, argumentOffset(index)],
    ...values.map((value, i): Instruction => [ifEqual, values.length - i, 0, value]),
    [returnAction, 0, 0, elseAction],
    allow,
  ];
}

function assemble(instructions: Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * instructionBytes);
  for (const [i, [code, jumpIfTrue, jumpIfFalse, operand]] of instructions.entries()) {
    const at = i * instructionBytes;
    bytes.writeUInt16LE(code, at); // both architectures are little-endian
    bytes.writeUInt8(jumpIfTrue, at + 2);
    bytes.writeUInt8(jumpIfFalse, at + 3);
    bytes.writeUInt32LE(operand, at + 4);
  }
  return bytes;
}
