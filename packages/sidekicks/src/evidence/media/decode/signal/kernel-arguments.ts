import { fileURLToPath } from 'node:url';
import { kernelSources } from './kernel.ts';

export const cArguments = ['-std=c11', '-Wall', '-Wextra'];

/** The arguments with which gcc compiles the kernel as a module of Node.js. */
export function kernelArguments(...options: string[]): string[] {
  const headers = new URL('include', import.meta.resolve('node-api-headers/package.json'));
  const sources = kernelSources().filter((path) => path.endsWith('.c'));
  return [
    ...[...cArguments, ...options, '-fPIC', '-shared', '-fvisibility=hidden', '-I', fileURLToPath(headers)],
    ...sources,
  ];
}
