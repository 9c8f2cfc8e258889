import type { Handles } from '#platform/handles.ts';
import { checkWorkflows } from '#platform/temporal/workflows.ts';
import { type Finding, okFinding, warningFinding } from './finding.ts';

/** The Temporal server version that the tests use. */
const testedTemporalVersion = [1, 32] as const;
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
  const isOld =
    major < testedTemporalVersion[0] || (major === testedTemporalVersion[0] && minor < testedTemporalVersion[1]);
  if (!isOld) return okFinding('temporal version', version || 'not reported');
  return warningFinding(
    'temporal version',
    version,
    `Assay is tested with ${testedTemporalVersion.join('.')}. Upgrade the server.`,
  );
}

/** The engine can report on a finished run only during its retention period. */
function checkRetention(namespace: string, hours: number): Finding {
  const detail = `${namespace} keeps finished runs for ${hours} h`;
  if (hours >= retentionHoursMin) return okFinding('temporal namespace', detail);
  const fix = `temporal operator namespace update --namespace ${namespace} --retention ${retentionHoursMin}h`;
  return warningFinding('temporal namespace', detail, fix);
}
