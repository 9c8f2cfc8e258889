import { fileURLToPath } from 'node:url';
import { kernelSources } from './kernel.ts';

export const cArguments = ['-std=c11', '-Wall', '-Wextra'];

/** The arguments with which gcc compiles these sources as a module of Node.js. */
export function moduleArguments(sources: string[], ...options: string[]): string[] {
  const headers = new URL('include', import.meta.resolve('node-api-headers/package.json'));
  return [
    ...[...cArguments, ...options, '-fPIC', '-shared', '-fvisibility=hidden', '-I', fileURLToPath(headers)],
    ...sources,
  ];
}

/** The arguments with which gcc compiles the kernel. */
export function kernelArguments(...options: string[]): string[] {
  return moduleArguments(
    kernelSources().filter((path) => path.endsWith('.c')),
    ...options,
  );
}
