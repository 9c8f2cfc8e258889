import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../../stack/instance.ts';

/** Built from source on first use, once per version, and kept where `./setup` keeps its tools. */
const tools = {
  helm: { version: '4.3.1', module: 'helm.sh/helm/v4/cmd/helm' },
  'helm-unittest': { version: '1.1.0', module: 'github.com/helm-unittest/helm-unittest/cmd/helm-unittest' },
  kubeconform: { version: '0.8.0', module: 'github.com/yannh/kubeconform/cmd/kubeconform' },
  'kube-score': { version: '1.20.0', module: 'github.com/zegl/kube-score/cmd/kube-score' },
};
type Tool = keyof typeof tools;

const folderOf = (tool: Tool) => join(cacheDir, `${tool}-${tools[tool].version}`);

export function pathOf(tool: Tool): string {
  return join(folderOf(tool), tool);
}

export function buildTools(): void {
  for (const tool of Object.keys(tools) as Tool[]) if (!existsSync(pathOf(tool))) build(tool);
}

function build(tool: Tool): void {
  const { version, module } = tools[tool];
  console.log(`go: building ${tool} ${version} (helm takes minutes)`);
  mkdirSync(cacheDir, { recursive: true });
  const scratch = mkdtempSync(join(cacheDir, 'build.'));
  try {
    const { status, error } = spawnSync('go', ['install', `${module}@v${version}`], {
      env: { ...process.env, CGO_ENABLED: '0', GOBIN: scratch },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (error || status !== 0) throw new Error(`building ${tool} failed: install Go 1.26`, { cause: error });
    mkdirSync(folderOf(tool), { recursive: true });
    renameSync(join(scratch, `${readdirSync(scratch)[0]}`), pathOf(tool));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
