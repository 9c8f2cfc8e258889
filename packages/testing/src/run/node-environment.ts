import { join } from 'node:path';
import { root } from './root.ts';

/**
 * Enables Node's compile cache for this process and all that inherit its environment. It halves the start-up time, and
 * a test run starts the same files hundreds of times.
 */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

/** The environment variables for a process that must not inherit those of the tests. */
export const nodeEnvironment = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
