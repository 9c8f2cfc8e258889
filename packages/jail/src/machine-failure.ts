/** Error codes for exhausted system resources. */
const exhaustionCodes = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

export type MachineFailureKind =
  /** The kernel killed a process that was within its limits: the machine ran out of memory. */
  | 'killed'
  /** No disk space, processes or file descriptors left. */
  | 'exhausted';

/** The machine is the cause, not the file: a retry may succeed. */
export class MachineFailure extends Error {
  readonly kind: MachineFailureKind;

  constructor(kind: MachineFailureKind, message: string, context: { cause?: unknown } = {}) {
    super(message, context);
    this.name = 'MachineFailure';
    this.kind = kind;
  }
}

/** The error as a machine failure; `null` if it has a different cause. */
export function asMachineFailure(error: unknown): MachineFailure | null {
  if (error instanceof MachineFailure) return error;
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  return code && exhaustionCodes.has(code) ? new MachineFailure('exhausted', message, { cause: error }) : null;
}
