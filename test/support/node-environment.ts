import { join } from 'node:path';

/**
 * Node keeps the code that it has compiled here, and starts in half the time: the same files are started hundreds of times
 * in one run of the tests. It is set for this process and for whatever inherits its environment.
 */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled');

/** All that a process of a test inherits, if it is not to be steered by the environment of the tests. */
export const nodeEnvironment = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
