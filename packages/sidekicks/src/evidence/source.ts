import type { RandomAccess } from './random-access.ts';

/** What gatherers look at: the file on local disk. */
export type Source = { bytes: RandomAccess; signal: AbortSignal };
