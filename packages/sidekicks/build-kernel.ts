import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { builtLauncher, launcherSource } from '@assay/jail/landlock.ts';
import { builtProcessModule, processModuleSource } from '@assay/jail/process/process-module.ts';
import { builtKernel } from './src/evidence/media/decode/signal/kernel.ts';
import { cArguments, kernelArguments, moduleArguments } from './src/evidence/media/decode/signal/kernel-arguments.ts';
import { builtWebpToApng, webpToApngSource } from './src/evidence/media/decode/webp-to-apng.ts';

/** `pnpm kernel`: compiles the sources in `native/`, unless this version is already built. */
compile(builtKernel(), kernelArguments('-O3'));
compile(builtProcessModule(), moduleArguments([processModuleSource], '-O2'));
compile(builtWebpToApng(), [...cArguments, '-O2', webpToApngSource, '-lwebpdemux', '-lz']);
compile(builtLauncher(), [...cArguments, '-O2', '-static', launcherSource]); // a static program starts faster

function compile(target: string, args: string[]): void {
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  execFileSync('gcc', [...args, '-o', unfinished], { stdio: 'inherit' });
  renameSync(unfinished, target);
}
