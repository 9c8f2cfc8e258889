import { join } from 'node:path';

/** The durations of the gate's last run in this checkout. */
export const lastRunFile = join(import.meta.dirname, 'dist', 'last-run.json');
