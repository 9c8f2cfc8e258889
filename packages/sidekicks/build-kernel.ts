import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtKernel, kernelSource } from './src/evidence/pass/flashes/kernel.ts';

/** `pnpm kernel`: compiles `native/transitions.c`, unless that is done. */
const headers = new URL('include', import.meta.resolve('node-api-headers/package.json'));
const target = builtKernel();
if (!existsSync(target)) {
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  execFileSync(
    'gcc',
    [
      ...['-std=c11', '-O3', '-Wall', '-Wextra', '-fPIC', '-shared', '-fvisibility=hidden'],
      ...['-I', fileURLToPath(headers), fileURLToPath(kernelSource), '-o', unfinished],
    ],
    { stdio: 'inherit' },
  );
  renameSync(unfinished, target);
}
