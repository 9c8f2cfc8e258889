import { join } from 'node:path';
import { root } from './root.ts';

/**
 * Node's compile cache halves its start-up time: one test run starts the same files hundreds of times. Set for this
 * process and all that inherit its environment.
 */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compiled');

/** The environment of a process that must not depend on the environment of the tests. */
export const nodeEnvironment = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
