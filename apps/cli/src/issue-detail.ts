import type { Issue, IssueDecision, IssueDetail, PreviousDecision } from '@assay/sdk';
import { severityStyles } from './findings.ts';
import { type Output, plain } from './output.ts';
import { formatNotCarried, labelOfReason } from './report/decision.ts';
import { formatQuantity } from './report/format.ts';
import { labelOfStatus } from './report/severity.ts';
import { formatLocation } from './report/where.ts';
import { formatTime } from './submission-table.ts';
import { formatFacts, formatTable } from './table.ts';

/** One finding, and what was decided on it. */
export function formatIssueDetail(issue: IssueDetail, output: Output): string {
  const { measured, limit, unit, locations, standard, previousDecision } = issue;
  const facts = formatFacts(
    [
      ['issue', issue.id],
      ['rule', issue.ruleCode],
      ['severity', { text: issue.severity, styles: severityStyles[issue.severity] }],
      ['status', labelOfStatus(issue.status)],
      ['measured', measured === null ? null : formatQuantity(measured, unit)],
      ['limit', limit === null ? null : formatQuantity(limit, unit)],
      ['where', locations.length === 0 ? 'the whole file' : locations.map(formatLocation).join('; ')],
      ['standard', standard && `${standard.name}, ${standard.clause}`],
      ['why', issue.severityReasoning],
      ['before', previousDecision && formatPrevious(previousDecision)],
    ],
    output,
  );
  return `${heading(issue, output)}\n${facts}\n\n${formatDecisions(issue.decisions, output)}`;
}

export function formatDecided(issue: Issue, output: Output): string {
  const reason = issue.statusReason ? `: ${labelOfReason(issue.statusReason).toLowerCase()}` : '';
  return `${heading(issue, output)}\n${labelOfStatus(issue.status)}${reason}. The decision is recorded.`;
}

const heading = ({ referenceNumber, summary }: Issue, output: Output) =>
  output.paint(`#${referenceNumber} ${plain(summary)}`, 'bold');

function formatPrevious(previous: PreviousDecision): string {
  const { status, reason, versionNumber } = previous;
  const why = reason ? ` (${labelOfReason(reason).toLowerCase()})` : '';
  return `${labelOfStatus(status)}${why} in version ${versionNumber}. Not carried over: ${formatNotCarried(previous)}.`;
}

function formatDecisions(decisions: IssueDecision[], output: Output): string {
  if (decisions.length === 0) return 'Nobody has decided on it yet.';
  const rows = decisions.map(({ decidedAt, actor, from, to, reason, note, carriedFrom }) => [
    formatTime(decidedAt),
    actor.id ? `key ${actor.id}` : 'unknown',
    `${from ? labelOfStatus(from) : 'unknown'} → ${labelOfStatus(to)}`,
    [reason && labelOfReason(reason), note, carriedFrom && `(carried over from version ${carriedFrom.versionNumber})`]
      .filter(Boolean)
      .join(' '),
  ]);
  return formatTable(['DECIDED', 'BY', 'FROM → TO', 'WHY'], rows, output);
}
