import type { Handles } from '#platform/handles.ts';
import { checkWorkflows } from '#platform/temporal/workflows.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The server with which every change is tested. */
const versionTested = [1, 32] as const;
const retentionHoursMin = 24;
const deadlineMillis = 3000;

export async function checkEngine({ workflows }: Pick<Handles, 'workflows'>): Promise<Finding[]> {
  await checkWorkflows(workflows);
  const { connection, namespace } = workflows;
  const [info, described] = await connection.withDeadline(Date.now() + deadlineMillis, () =>
    Promise.all([
      connection.workflowService.getSystemInfo({}),
      connection.workflowService.describeNamespace({ namespace }),
    ]),
  );
  const retention = described.config?.workflowExecutionRetentionTtl?.seconds ?? 0;
  return [checkVersion(info.serverVersion ?? ''), checkRetention(namespace, Number(retention) / 3600)];
}

function checkVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < versionTested[0] || (major === versionTested[0] && minor < versionTested[1]);
  if (!isOld) return ok('temporal version', version || 'not reported');
  return warning('temporal version', version, `Assay is tested with ${versionTested.join('.')}. Upgrade the server.`);
}

/** The engine answers questions about a finished run only while it keeps it. */
function checkRetention(namespace: string, hours: number): Finding {
  const detail = `${namespace} keeps finished runs for ${hours} h`;
  if (hours >= retentionHoursMin) return ok('temporal namespace', detail);
  const fix = `temporal operator namespace update --namespace ${namespace} --retention ${retentionHoursMin}h`;
  return warning('temporal namespace', detail, fix);
}
