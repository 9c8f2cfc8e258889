import { formatMeasurement } from '@assay/report/format/measurement.ts';
import { isUnresolved, labelOfStatus } from '@assay/report/severity.ts';
import type { Changes, CompactIssue, Issue } from '@assay/sdk';
import { severityStyles } from './issue-table.ts';
import type { Output } from './output.ts';
import { formatTable } from './table.ts';

/** The issues in full of both versions; a kept issue has the same number in both. */
export type ComparedIssues = { now: readonly Issue[]; before: readonly Issue[] };

/** The new, gone and kept issues with their numbers, statuses and, if a measured value changed, both values. */
export function formatChanges(changes: Changes, compared: ComparedIssues, output: Output): string {
  const { versionNumber, previous, newIssues, goneIssues, keptIssues } = changes;
  const title = previous
    ? `Version ${versionNumber}, compared with version ${previous.versionNumber}:`
    : `Version ${versionNumber}; there is no earlier complete version to compare with.`;
  const groups = Object.entries({ New: newIssues, Gone: goneIssues, Kept: keptIssues })
    .filter(([, issues]) => issues.length > 0)
    .map(([name, issues]) => {
      const noteOf = (issue: CompactIssue) => (name === 'Kept' ? formatDifference(issue, compared) : '');
      return `${output.paint(name, 'bold')}\n${formatCompactIssues(issues, output, noteOf)}`;
    });
  return [title, ...(groups.length > 0 ? groups : ['No issues.'])].join('\n\n');
}

/** One row per issue: number, severity, rule, summary, and the status unless it is open. */
export function formatCompactIssues(
  issues: readonly CompactIssue[],
  output: Output,
  noteOf: (issue: CompactIssue) => string = () => '',
): string {
  const rows = issues.map((issue) => {
    const { referenceNumber, severity, ruleCode, summary, status } = issue;
    const label = status === 'OPEN' ? '' : labelOfStatus(status).toLowerCase();
    const notes = [label, noteOf(issue)].filter(Boolean).join(', ');
    return [
      `#${referenceNumber}`,
      { text: severity, styles: isUnresolved(issue) ? severityStyles[severity] : ['dim' as const] },
      ruleCode,
      notes ? `${summary} (${notes})` : summary,
    ];
  });
  return formatTable(['', '', '', ''], rows, output, '  ');
}

/** `worse: −21.8 LUFS → −18.8 LUFS`; empty if the value looks the same in both versions. */
function formatDifference({ referenceNumber }: CompactIssue, { now, before }: ComparedIssues): string {
  const [issue, earlier] = [now, before].map((list) => list.find((one) => one.referenceNumber === referenceNumber));
  if (!issue || !earlier || issue.unit !== earlier.unit) return '';
  const [from, to] = [formatMeasurement(earlier).measured, formatMeasurement(issue).measured];
  if (from === null || to === null || from === to) return '';
  return `${directionOf(issue, earlier)}: ${from} → ${to}`;
}

/** A value that moves away from its limit is worse. Without a limit to compare with, it has only changed. */
function directionOf(issue: Issue, earlier: Issue): string {
  if (issue.limit === null || earlier.limit === null || issue.measured === null || earlier.measured === null)
    return 'changed';
  const beyond = Math.abs(issue.measured - issue.limit) - Math.abs(earlier.measured - earlier.limit);
  return beyond > 0 ? 'worse' : beyond < 0 ? 'better' : 'changed';
}
