import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtKernel, kernelSources } from './src/evidence/pass/signal/kernel.ts';

/** `pnpm kernel`: compiles the sources in `native/`, unless this version is already built. */
const headers = new URL('include', import.meta.resolve('node-api-headers/package.json'));
const target = builtKernel();
if (!existsSync(target)) {
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  execFileSync(
    'gcc',
    [
      ...['-std=c11', '-O3', '-Wall', '-Wextra', '-fPIC', '-shared', '-fvisibility=hidden'],
      ...['-I', fileURLToPath(headers), ...kernelSources().filter((path) => path.endsWith('.c')), '-o', unfinished],
    ],
    { stdio: 'inherit' },
  );
  renameSync(unfinished, target);
}
