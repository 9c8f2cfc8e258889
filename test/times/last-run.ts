import { join } from 'node:path';

/** Where the gate leaves what its last run in this checkout took. */
export const lastRunFile = join(import.meta.dirname, 'dist', 'last-run.json');
