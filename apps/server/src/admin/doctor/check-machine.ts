import { existsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { assetBytesMax } from '@assay/contract/limits.ts';
import { checkDisk } from '#platform/disk.ts';
import { type Finding, failedFinding, okFinding, warningFinding } from './finding.ts';

const nodeMajorMin = 24;
const memoryBytesMin = 1024 ** 3;

export function checkNode(): Finding[] {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= nodeMajorMin) return [okFinding('node', process.version)];
  return [failedFinding('node', process.version, `Use Node.js ${nodeMajorMin} or later.`)];
}

export function checkMemory(): Finding[] {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const detail = `${Math.round(bytes / 1024 ** 2)} MiB`;
  if (bytes >= memoryBytesMin) return [okFinding('memory', detail)];
  return [warningFinding('memory', detail, 'A worker needs 1 GiB; large videos fail with less.')];
}

export async function checkScratch(): Promise<Finding[]> {
  const freeBytes = await checkDisk();
  const detail = `${tmpdir()} has ${formatGiB(freeBytes)} free`;
  if (freeBytes >= assetBytesMax.video) return [okFinding('disk', detail)];
  const fix = `A worker stores each video here while it examines it, up to ${formatGiB(assetBytesMax.video)}.`;
  return [warningFinding('disk', detail, fix)];
}

const formatGiB = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

/** Checks that the output of `pnpm bundle` and `pnpm docs:build` exists. */
export function checkBuildOutput(docsFolder: string, needs: { workflows: boolean; docs: boolean }): Finding[] {
  const workflows = join(import.meta.dirname, '../../../dist/workflows.js');
  return [
    ...(needs.workflows
      ? [
          existsSync(workflows)
            ? okFinding('workflow code', 'is built')
            : failedFinding('workflow code', 'is not built, so no worker can start', 'Run pnpm bundle.'),
        ]
      : []),
    ...(needs.docs
      ? [
          existsSync(docsFolder)
            ? okFinding('documentation', 'is built')
            : warningFinding('documentation', 'is not built, so /docs is not served', 'Run pnpm docs:build.'),
        ]
      : []),
  ];
}
