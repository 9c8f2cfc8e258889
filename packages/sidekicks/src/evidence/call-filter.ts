import { type Architecture, allowedCalls, judgedCalls, numberOf, refusedCalls } from './system-calls.ts';

// One instruction of the kernel's classic packet filter: what to do, how far to jump if so and if not, an operand.
type Instruction = readonly [code: number, ifSo: number, ifNot: number, operand: number];
const instructionBytes = 8;

// From linux/bpf_common.h.
const load = 0x20; // a word of what is judged
const ifEqual = 0x15;
const ifAnyBit = 0x45;
const answer = 0x06;

// Where linux/seccomp.h has the number, the architecture and the lower half of an argument.
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number) => 16 + 8 * index;

const answers = {
  kill: 0x8000_0000, // the whole process, by SIGSYS
  allow: 0x7fff_0000,
  error: (errno: number) => 0x0005_0000 | errno,
};
const errno = { EINVAL: 22, ENOTTY: 25, ENOSYS: 38 };

/** What linux/audit.h calls them. A call by the numbers of another architecture is none of these. */
const marks: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

const cloneThread = 0x0001_0000;
const cloneNewNamespaces = 0x7e02_0000; // mount, cgroup, uts, ipc, user, pid and net together

// Of terminals and descriptors only what asks: nothing that types into a terminal (TIOCSTI, TIOCLINUX).
const allowedIoctls = {
  TCGETS: 0x5401,
  TIOCGWINSZ: 0x5413,
  FIONREAD: 0x541b,
  FIONBIO: 0x5421,
  FIONCLEX: 0x5450,
  FIOCLEX: 0x5451,
};
const allowedPrctls = { PR_GET_DUMPABLE: 3, PR_SET_NAME: 15, PR_GET_NAME: 16, PR_CAPBSET_READ: 23 };
// By it bubblewrap ties its own first process, which the filter binds too, to its parent. Nobody may untie it.
const dieWithParent = { PR_SET_PDEATHSIG: 1, SIGKILL: 9 };

/**
 * The filter as the kernel takes it, for each architecture. What is not allowed by name ends the process: a decoder
 * that asks for it is no longer a decoder.
 */
export const callFilters: Readonly<Record<Architecture, Buffer>> = {
  x64: assemble(instructionsFor('x64')),
  arm64: assemble(instructionsFor('arm64')),
};

function instructionsFor(architecture: Architecture): Instruction[] {
  const each = (calls: typeof allowedCalls, verdict: number) =>
    Object.values(calls).flatMap((numbers) => when(numberOf(numbers, architecture), [[answer, 0, 0, verdict]]));
  const only = (name: keyof typeof judgedCalls, rule: Instruction[]) =>
    when(numberOf(judgedCalls[name], architecture), rule);
  return [
    [load, 0, 0, architectureAt],
    [ifEqual, 1, 0, marks[architecture]],
    [answer, 0, 0, answers.kill],
    [load, 0, 0, numberAt],
    // A thread of the same process and nothing else: what cannot fork leaves nobody behind.
    ...only('clone', [
      [load, 0, 0, argumentAt(0)],
      [ifAnyBit, 1, 0, cloneNewNamespaces],
      [ifAnyBit, 1, 0, cloneThread],
      [answer, 0, 0, answers.kill],
      [answer, 0, 0, answers.allow],
    ]),
    ...only('ioctl', oneOf(1, Object.values(allowedIoctls), errno.ENOTTY)),
    ...only('prctl', [
      [load, 0, 0, argumentAt(0)],
      [ifEqual, 0, 4, dieWithParent.PR_SET_PDEATHSIG],
      [load, 0, 0, argumentAt(1)],
      [ifEqual, 1, 0, dieWithParent.SIGKILL],
      [answer, 0, 0, answers.error(errno.EINVAL)],
      [answer, 0, 0, answers.allow],
      ...oneOf(0, Object.values(allowedPrctls), errno.EINVAL),
    ]),
    ...each(refusedCalls, answers.error(errno.ENOSYS)),
    ...each(allowedCalls, answers.allow),
    [answer, 0, 0, answers.kill],
  ];
}

/** The rule for this number; it ends with an answer, as what it has loaded is no longer the number. */
function when(number: number | null, rule: Instruction[]): Instruction[] {
  return number === null ? [] : [[ifEqual, 0, rule.length, number], ...rule];
}

/** Allowed with these values of an argument; else the call fails, as tools ask for more than they need. */
function oneOf(index: number, values: number[], elseErrno: number): Instruction[] {
  return [
    [load, 0, 0, argumentAt(index)],
    ...values.map((value, i): Instruction => [ifEqual, values.length - i, 0, value]),
    [answer, 0, 0, answers.error(elseErrno)],
    [answer, 0, 0, answers.allow],
  ];
}

function assemble(instructions: Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * instructionBytes);
  for (const [i, [code, ifSo, ifNot, operand]] of instructions.entries()) {
    const at = i * instructionBytes;
    bytes.writeUInt16LE(code, at); // both architectures are little-endian
    bytes.writeUInt8(ifSo, at + 2);
    bytes.writeUInt8(ifNot, at + 3);
    bytes.writeUInt32LE(operand, at + 4);
  }
  return bytes;
}
