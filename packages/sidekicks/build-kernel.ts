import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtLauncher, launcherSource } from '@assay/jail/landlock.ts';
import { builtKernel, kernelSources } from './src/evidence/media/decode/signal/kernel.ts';

/** `pnpm kernel`: compiles the sources in `native/`, unless this version is already built. */
const headers = new URL('include', import.meta.resolve('node-api-headers/package.json'));
const warnings = ['-std=c11', '-Wall', '-Wextra'];
compile(builtKernel(), [
  ...[...warnings, '-O3', '-fPIC', '-shared', '-fvisibility=hidden', '-I', fileURLToPath(headers)],
  ...kernelSources().filter((path) => path.endsWith('.c')),
]);
compile(builtLauncher(), [...warnings, '-O2', '-static', launcherSource]); // a static program starts faster

function compile(target: string, args: string[]): void {
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  execFileSync('gcc', [...args, '-o', unfinished], { stdio: 'inherit' });
  renameSync(unfinished, target);
}
