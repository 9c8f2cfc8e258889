import { type Architecture, allowedCalls, conditionalCalls, numberOf, refusedCalls } from './system-calls.ts';

// One instruction of classic BPF (`struct sock_filter`).
type Instruction = readonly [code: number, jumpIfTrue: number, jumpIfFalse: number, operand: number];
const instructionBytes = 8;

// From linux/bpf_common.h.
const load = 0x20; // a 32-bit word of the seccomp data
const ifEqual = 0x15;
const ifAnyBit = 0x45;
const returnAction = 0x06;

// Offsets in `struct seccomp_data` of linux/seccomp.h. Only the lower half of an argument is checked.
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const actions = {
  kill: 0x8000_0000, // the whole process, by SIGSYS
  allow: 0x7fff_0000,
  error: (errno: number) => 0x0005_0000 | errno,
};
const errno = { EINVAL: 22, ENOTTY: 25, ENOSYS: 38 };

/** AUDIT_ARCH_* from linux/audit.h. A call that uses the numbers of another architecture has another value. */
const auditArchs: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

const cloneThread = 0x0001_0000;
const cloneNewNamespaces = 0x7e02_0000; // mount, cgroup, uts, ipc, user, pid and net together

// Queries and flags of terminals and descriptors. Nothing that inserts input into a terminal (TIOCSTI, TIOCLINUX).
const allowedIoctls = {
  TCGETS: 0x5401,
  TIOCGWINSZ: 0x5413,
  FIONREAD: 0x541b,
  FIONBIO: 0x5421,
  FIONCLEX: 0x5450,
  FIOCLEX: 0x5451,
};
const allowedPrctls = { PR_GET_DUMPABLE: 3, PR_SET_NAME: 15, PR_GET_NAME: 16, PR_CAPBSET_READ: 23 };
// bubblewrap sets it on the first process in the jail, to which the filter applies too. It must not be cleared.
const dieWithParent = { PR_SET_PDEATHSIG: 1, SIGKILL: 9 };

/**
 * The seccomp filter for each architecture, in the kernel's format. A call that is not in the lists kills the process:
 * no decoder needs it, so the process may be under an attacker's control.
 */
export const seccompFilters: Readonly<Record<Architecture, Buffer>> = {
  x64: assemble(instructionsFor('x64')),
  arm64: assemble(instructionsFor('arm64')),
};

function instructionsFor(architecture: Architecture): Instruction[] {
  const each = (calls: typeof allowedCalls, action: number) =>
    Object.values(calls).flatMap((numbers) => when(numberOf(numbers, architecture), [[returnAction, 0, 0, action]]));
  const only = (name: keyof typeof conditionalCalls, rule: Instruction[]) =>
    when(numberOf(conditionalCalls[name], architecture), rule);
  return [
    [load, 0, 0, architectureAt],
    [ifEqual, 1, 0, auditArchs[architecture]],
    [returnAction, 0, 0, actions.kill],
    [load, 0, 0, numberAt],
    // Only threads of the same process: a tool that cannot fork leaves no process behind.
    ...only('clone', [
      [load, 0, 0, argumentAt(0)],
      [ifAnyBit, 1, 0, cloneNewNamespaces],
      [ifAnyBit, 1, 0, cloneThread],
      [returnAction, 0, 0, actions.kill],
      [returnAction, 0, 0, actions.allow],
    ]),
    ...only('ioctl', oneOf(1, Object.values(allowedIoctls), errno.ENOTTY)),
    ...only('prctl', [
      [load, 0, 0, argumentAt(0)],
      [ifEqual, 0, 4, dieWithParent.PR_SET_PDEATHSIG],
      [load, 0, 0, argumentAt(1)],
      [ifEqual, 1, 0, dieWithParent.SIGKILL],
      [returnAction, 0, 0, actions.error(errno.EINVAL)],
      [returnAction, 0, 0, actions.allow],
      ...oneOf(0, Object.values(allowedPrctls), errno.EINVAL),
    ]),
    ...each(refusedCalls, actions.error(errno.ENOSYS)),
    ...each(allowedCalls, actions.allow),
    [returnAction, 0, 0, actions.kill],
  ];
}

/** Applies the rule to the call of this number. A rule ends with a return, because it may load something else. */
function when(number: number | null, rule: Instruction[]): Instruction[] {
  return number === null ? [] : [[ifEqual, 0, rule.length, number], ...rule];
}

/** Allows these values of an argument. Others fail with an error, because tools also try calls they do not need. */
function oneOf(index: number, values: number[], elseErrno: number): Instruction[] {
  return [
    [load, 0, 0, argumentAt(index)],
    ...values.map((value, i): Instruction => [ifEqual, values.length - i, 0, value]),
    [returnAction, 0, 0, actions.error(elseErrno)],
    [returnAction, 0, 0, actions.allow],
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
