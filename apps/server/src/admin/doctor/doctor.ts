import { explainFailure } from '#platform/connections/explain-failure.ts';
import type { Handles } from '#platform/handles.ts';
import { storeOf } from '#platform/storage/stores.ts';
import { checkEngine } from './check-engine.ts';
import { checkBuildOutput, checkMemory, checkNode, checkScratch } from './check-machine.ts';
import { checkClocks, checkPostgres } from './check-postgres.ts';
import { checkRedis } from './check-redis.ts';
import { checkStorage } from './check-storage.ts';
import { type Finding, failedFinding } from './finding.ts';

export type Role = 'api' | 'worker';

type InstallationCheck = { part: string; roles?: readonly Role[]; fix: string; run(): Finding[] | Promise<Finding[]> };

/** Checks everything that the processes of these roles need. Changes nothing but one object of its own in storage. */
export async function examineInstallation(
  handles: Handles,
  roles: readonly Role[],
  { docsFolder, checkJail }: { docsFolder: string; checkJail(): Promise<Finding[]> },
): Promise<Finding[]> {
  const needs = { workflows: roles.includes('worker'), docs: roles.includes('api') };
  const storageVariables = Object.keys(storeOf(handles.blobs.home.store).variables);
  const checks: InstallationCheck[] = [
    { part: 'node', fix: 'Install Node.js 24.', run: checkNode },
    { part: 'built files', fix: 'Run pnpm bundle.', run: () => checkBuildOutput(docsFolder, needs) },
    { part: 'postgres', fix: 'Check DATABASE_URL and that the server runs.', run: () => checkPostgres(handles) },
    { part: 'clock', fix: 'Synchronise the clocks with NTP.', run: () => checkClocks(handles) },
    { part: 'redis', fix: 'Check REDIS_URL and that the server runs.', run: () => checkRedis(handles) },
    {
      part: 'temporal',
      fix: 'Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, and that the server runs and has the namespace.',
      run: () => checkEngine(handles),
    },
    {
      part: 'storage',
      fix: `Check OBJECT_STORE, ${storageVariables.join(', ')}, and that the container exists.`,
      run: () => checkStorage(handles),
    },
    { part: 'memory', roles: ['worker'], fix: '', run: checkMemory },
    { part: 'disk', roles: ['worker'], fix: 'Free space, or point TMPDIR to another volume.', run: checkScratch },
    { part: 'jail', roles: ['worker'], fix: 'See TOOL_JAIL in the documentation.', run: checkJail },
  ];
  const findings: Finding[] = [];
  for (const { part, roles: only = roles, fix, run } of checks) {
    if (!only.some((role) => roles.includes(role))) continue;
    findings.push(
      ...(await Promise.resolve(run()).catch((error) => [failedFinding(part, explainFailure(error), fix)])),
    );
  }
  return findings;
}
