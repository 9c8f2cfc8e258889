import { buildGoTool, pathOfGoTool } from '@assay/stack/go-tool.ts';

const versions = {
  helm: { version: '4.3.1', module: 'helm.sh/helm/v4' },
  'helm-unittest': { version: '1.1.2', module: 'github.com/helm-unittest/helm-unittest' },
  kubeconform: { version: '0.8.0', module: 'github.com/yannh/kubeconform' },
  'kube-score': { version: '1.20.0', module: 'github.com/zegl/kube-score' },
};
type ToolName = keyof typeof versions;

const toolOf = (name: ToolName) => ({ name, ...versions[name], main: `./cmd/${name}` });

export function pathOf(tool: ToolName): string {
  return pathOfGoTool(toolOf(tool));
}

export function buildTools(): void {
  for (const tool of Object.keys(versions) as ToolName[]) buildGoTool(toolOf(tool));
}
