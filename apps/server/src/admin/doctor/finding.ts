/** The result of one check. `fix` says how to solve a problem. */
export type Finding = { part: string; status: 'ok' | 'warning' | 'failed'; detail: string; fix?: string };

export const okFinding = (part: string, detail: string): Finding => ({ part, status: 'ok', detail });
export const warningFinding = (part: string, detail: string, fix: string): Finding => ({
  part,
  status: 'warning',
  detail,
  fix,
});
export const failedFinding = (part: string, detail: string, fix: string): Finding => ({
  part,
  status: 'failed',
  detail,
  fix,
});

const statusLabels = { ok: 'ok  ', warning: 'WARN', failed: 'FAIL' };

/** One line per finding, then the totals. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ part, status, detail, fix }) => [
    `${statusLabels[status]}  ${part.padEnd(width)}  ${detail}`,
    ...(fix ? [`      ${' '.repeat(width)}  → ${fix}`] : []),
  ]);
  return `${lines.join('\n')}\n\n${summarise(findings)}`;
}

function summarise(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  if (failures > 0) return `${failures} of ${findings.length} checks failed. Nothing was changed.`;
  return `All ${findings.length} checks passed${warnings > 0 ? `, ${warnings} with a warning` : ''}.`;
}
