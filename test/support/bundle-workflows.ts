import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const bundler = join(import.meta.dirname, '..', '..', 'apps', 'server', 'bundle-workflows.ts');

/** The same as `pnpm bundle`, without which a worker does not start. */
export function bundleWorkflows(): void {
  execFileSync(process.execPath, [bundler], { stdio: 'inherit' });
}
