import { afterAll } from 'vitest';
import { openDatabaseOfFile } from './database-of-file.ts';

/**
 * Runs before each test file, also if many share a process. Each has its own database: sweeps process a whole database
 * and put what they find on their own queues.
 */
afterAll(await openDatabaseOfFile());
