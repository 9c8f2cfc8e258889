import type { Cage } from './cage.ts';
import type { RandomAccess } from './random-access.ts';

/** What gatherers look at: the file on local disk. */
export type Source = {
  bytes: RandomAccess;
  /** An open descriptor of the same bytes, for reading alone. */
  fd: number;
  signal: AbortSignal;
  cage: Cage;
  /** Is told now and then how far the longest part of the work is, 0 to 1. */
  report?: (share: number) => void;
  /** Is told how long the file plays, once that is known. */
  onDuration?: (seconds: number) => void;
};
