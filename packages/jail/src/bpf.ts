import { type Architecture, callNumberOf } from './system-calls.ts';

// One instruction of classic BPF (`struct sock_filter`).
export type Instruction = readonly [code: number, jumpIfTrue: number, jumpIfFalse: number, operand: number];
const instructionBytes = 8;

// From linux/bpf_common.h.
export const load = 0x20; // a 32-bit word of the seccomp data
export const ifEqual = 0x15;
export const ifAtLeast = 0x35;
export const ifAnyBit = 0x45;
export const returnAction = 0x06;

// Offsets in `struct seccomp_data` of linux/seccomp.h. Only the lower half of an argument is checked.
const numberOffset = 0;
const architectureOffset = 4;
export const argumentOffset = (index: number) => 16 + 8 * index;

export const actions = {
  kill: 0x8000_0000, // the whole process, by SIGSYS
  allow: 0x7fff_0000,
  error: (errno: number) => 0x0005_0000 | errno,
};
export const allow: Instruction = [returnAction, 0, 0, actions.allow];
export const errno = { EPERM: 1, ESRCH: 3, EINVAL: 22, ENOTTY: 25, ENOSYS: 38 };

export const cloneNewNamespaces = 0x7e02_0000; // mount, cgroup, uts, ipc, user, pid and net together

/** AUDIT_ARCH_* from linux/audit.h. A call that uses the numbers of another architecture has a different value. */
const auditArchs: Record<Architecture, number> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Kills a process that uses the numbers of another architecture, and loads the number of the call. */
export function loadNumber(architecture: Architecture): Instruction[] {
  return [
    [load, 0, 0, architectureOffset],
    [ifEqual, 1, 0, auditArchs[architecture]],
    [returnAction, 0, 0, actions.kill],
    [load, 0, 0, numberOffset],
  ];
}

/** Applies the rule to the call of this number. A rule ends with a return, because it may replace the loaded number. */
export function forCall(number: number | null, rule: Instruction[]): Instruction[] {
  return number === null ? [] : [[ifEqual, 0, rule.length, number], ...rule];
}

/** The same action for each of these calls. */
export function forEachCall(
  calls: Readonly<Record<string, readonly [number, number | null]>>,
  architecture: Architecture,
  action: number,
): Instruction[] {
  return Object.values(calls).flatMap((numbers) =>
    forCall(callNumberOf(numbers, architecture), [[returnAction, 0, 0, action]]),
  );
}

/**
 * Allows these values of an argument. For others, most rules return an error: tools also try calls that they do not
 * need.
 */
export function allowArgumentValues(index: number, values: number[], elseAction: number): Instruction[] {
  return [
    [load, 0, 0, argumentOffset(index)],
    ...values.map((value, i): Instruction => [ifEqual, values.length - i, 0, value]),
    [returnAction, 0, 0, elseAction],
    allow,
  ];
}

export function assemble(instructions: Instruction[]): Buffer {
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
