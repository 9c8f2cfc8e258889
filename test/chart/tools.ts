import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDir } from '../../stack/instance.ts';

/** Built from source on first use, once per version, and kept where `./setup` keeps its tools. */
const tools = {
  helm: { version: '4.3.1', module: 'helm.sh/helm/v4' },
  'helm-unittest': { version: '1.1.2', module: 'github.com/helm-unittest/helm-unittest' },
  kubeconform: { version: '0.8.0', module: 'github.com/yannh/kubeconform' },
  'kube-score': { version: '1.20.0', module: 'github.com/zegl/kube-score' },
};
type Tool = keyof typeof tools;

const folderOf = (tool: Tool) => join(cacheDir, `${tool}-${tools[tool].version}`);

export function pathOf(tool: Tool): string {
  return join(folderOf(tool), tool);
}

export function buildTools(): void {
  for (const tool of Object.keys(tools) as Tool[]) if (!existsSync(pathOf(tool))) build(tool);
}

/** From a copy of the sources, because `go install` refuses modules that replace a dependency. */
function build(tool: Tool): void {
  const { version, module } = tools[tool];
  console.log(`go: building ${tool} ${version} (helm takes minutes)`);
  mkdirSync(cacheDir, { recursive: true });
  const scratch = mkdtempSync(join(cacheDir, 'build.'));
  try {
    const { Dir: sources } = JSON.parse(go('mod', 'download', '-json', `${module}@v${version}`));
    execFileSync('cp', ['-r', '--no-preserve=mode', sources, scratch]);
    const copy = join(scratch, basename(sources));
    go('build', '-C', copy, '-o', join(scratch, tool), `./cmd/${tool}`);
    mkdirSync(folderOf(tool), { recursive: true });
    renameSync(join(scratch, tool), pathOf(tool));
  } catch (cause) {
    throw new Error(`building ${tool} failed; it needs Go 1.26`, { cause });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function go(...args: string[]): string {
  // Outside the repository, because Go looks for a module there.
  const options = { cwd: cacheDir, env: { ...process.env, CGO_ENABLED: '0' }, encoding: 'utf8' } as const;
  return execFileSync('go', args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
}
