/** Codes of the system for what this machine has no more of. */
const exhausted = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

export type MachineFailureKind =
  /** The kernel ended a process that kept to its own limits: the machine had no memory left. */
  | 'killed'
  /** No space on the disk, no more processes or descriptors. */
  | 'exhausted';

/** The machine failed, not the file: another try may succeed. */
export class MachineFailure extends Error {
  readonly kind: MachineFailureKind;

  constructor(kind: MachineFailureKind, message: string, context: { cause?: unknown } = {}) {
    super(message, context);
    this.name = 'MachineFailure';
    this.kind = kind;
  }
}

/** The error as a failure of the machine, if that is what it is. */
export function asMachineFailure(error: unknown): MachineFailure | null {
  if (error instanceof MachineFailure) return error;
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return code && exhausted.has(code) ? new MachineFailure('exhausted', message, { cause: error }) : null;
}
