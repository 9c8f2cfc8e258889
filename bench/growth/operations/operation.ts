import type { Db } from '@assay/server/platform/postgres/db.ts';
import type { Sample } from '../sample.ts';

/** Calls one function of a store on a row that exists. What it changes is rolled back. */
type Run = (db: Db, sample: Sample) => Promise<unknown>;

/**
 * The name of an operation is that of the store's function, which may be followed by a colon and the case. `ownTransaction`
 * marks functions that begin one themselves, so what they change stays.
 */
export type Operations = Record<string, Run | { run: Run; ownTransaction: true }>;
