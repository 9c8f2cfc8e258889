import { spawnSync } from 'node:child_process';
import { buildTools, pathOf } from './tools.ts';

/**
 * `pnpm chart check` runs every check of the chart that needs helm. `pnpm chart helm <arguments>` runs the pinned helm,
 * for example to look at an example: `pnpm chart helm template assay deploy/chart -f deploy/chart/examples/eks-s3.yaml`.
 */
const usage = 'usage: pnpm chart check | helm <arguments>';
const [command, ...args] = process.argv.slice(2);
const commands: Record<string, () => [string, string[]]> = {
  check: () => ['pnpm', ['exec', 'vitest', 'run', '--config', 'verify/deploy/chart/vitest.config.ts', ...args]],
  helm: () => [pathOf('helm'), args],
};
const commandToRun = commands[command ?? ''];
if (!commandToRun) {
  console.error(usage);
  process.exit(2);
}
buildTools();
const { status } = spawnSync(...commandToRun(), { stdio: 'inherit' });
process.exitCode = status ?? 1;
