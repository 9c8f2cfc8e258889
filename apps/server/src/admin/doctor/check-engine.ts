import type { Handles } from '#platform/handles.ts';
import { checkWorkflows } from '#platform/temporal/workflows.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The Temporal server version that the tests use. */
const testedVersion = [1, 32] as const;
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
  const isOld = major < testedVersion[0] || (major === testedVersion[0] && minor < testedVersion[1]);
  if (!isOld) return ok('temporal version', version || 'not reported');
  return warning('temporal version', version, `Assay is tested with ${testedVersion.join('.')}. Upgrade the server.`);
}

/** The engine can report on a finished run only during its retention period. */
function checkRetention(namespace: string, hours: number): Finding {
  const detail = `${namespace} keeps finished runs for ${hours} h`;
  if (hours >= retentionHoursMin) return ok('temporal namespace', detail);
  const fix = `temporal operator namespace update --namespace ${namespace} --retention ${retentionHoursMin}h`;
  return warning('temporal namespace', detail, fix);
}
