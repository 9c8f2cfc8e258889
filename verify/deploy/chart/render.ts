import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartFolder, type Values } from './chart-files.ts';
import { pathOf } from './tools.ts';

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };
export type Container = {
  name: string;
  image: string;
  env?: Variable[];
  volumeMounts?: { name: string; mountPath: string }[];
  ports?: { hostPort?: number }[];
  securityContext?: Record<string, unknown>;
  [field: string]: unknown;
};
export type PodSpec = {
  containers: Container[];
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: { name: string; [source: string]: unknown }[];
  securityContext?: Record<string, unknown>;
  [field: string]: unknown;
};
export type Manifest = {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { template?: { metadata: Manifest['metadata']; spec: PodSpec } };
};

/** What `helm template` prints, or why it refuses the values. */
export function render(values: Values, ...args: string[]): { text: string; refusal: string } {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-chart-'));
  try {
    const file = join(scratch, 'values.json'); // JSON, because Helm reads an unquoted `off` as false
    writeFileSync(file, JSON.stringify(values));
    const command = ['template', 'assay', chartFolder, '--namespace', 'assay', '--values', file, ...args];
    const { status, stdout, stderr } = spawnSync(pathOf('helm'), command, { encoding: 'utf8' });
    return { text: stdout, refusal: status === 0 ? '' : stderr };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** The pods of Deployments and Jobs, by the name of the Deployment or Job. */
export function podsIn(manifests: Manifest[]): [name: string, pod: PodSpec][] {
  return manifests.flatMap(({ metadata, spec }) => (spec?.template ? [[metadata.name, spec.template.spec]] : []));
}
