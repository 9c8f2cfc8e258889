import { afterAll } from 'vitest';
import { createTestFileDatabase } from './database-of-file.ts';

/**
 * Runs before each test file, even if many files share a process. Each file has its own database, because sweepers
 * process a whole database and put what they find on their own queues.
 */
afterAll(await createTestFileDatabase());
