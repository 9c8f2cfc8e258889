import { formatNotCarried, labelOfReason } from '@assay/report/format/decision.ts';
import { formatLocation } from '@assay/report/format/location.ts';
import { formatMeasurement } from '@assay/report/format/measurement.ts';
import { formatStandard } from '@assay/report/format/standard.ts';
import { labelOfStatus } from '@assay/report/severity.ts';
import type { Issue, IssueDecision, IssueDetail, PreviousDecision } from '@assay/sdk';
import { severityStyles } from './issue-table.ts';
import { type Output, stripControls } from './output.ts';
import { formatTime } from './submission-table.ts';
import { formatFacts, formatTable } from './table.ts';

/** Formats one issue and its decisions. */
export function formatIssueDetail(issue: IssueDetail, output: Output): string {
  const { locations, standard, previousDecision } = issue;
  const { measured, limit } = formatMeasurement(issue);
  const facts = formatFacts(
    [
      ['issue', issue.id],
      ['rule', issue.ruleCode],
      ['severity', { text: issue.severity, styles: severityStyles[issue.severity] }],
      ['status', labelOfStatus(issue.status)],
      ['measured', measured],
      ['limit', limit],
      [
        'location',
        locations.length === 0 ? 'whole file' : locations.map((location) => formatLocation(location)).join('; '),
      ],
      ['standard', standard && formatStandard(standard)],
      ['details', issue.severityReasoning],
      ['previous', previousDecision && formatPreviousDecision(previousDecision)],
    ],
    output,
  );
  return `${formatHeading(issue, output)}\n${facts}\n\n${formatDecisions(issue.decisions, output)}`;
}

export function formatRecordedDecision(issue: Issue, output: Output): string {
  const reason = issue.statusReason ? `: ${labelOfReason(issue.statusReason).toLowerCase()}` : '';
  return `${formatHeading(issue, output)}\n${labelOfStatus(issue.status)}${reason}. Decision recorded.`;
}

const formatHeading = ({ referenceNumber, summary }: Issue, output: Output) =>
  output.paint(`#${referenceNumber} ${stripControls(summary)}`, 'bold');

function formatPreviousDecision(previous: PreviousDecision): string {
  const { status, reason, versionNumber } = previous;
  const why = reason ? ` (${labelOfReason(reason).toLowerCase()})` : '';
  return `${labelOfStatus(status)}${why} in version ${versionNumber}. Not carried over: ${formatNotCarried(previous)}.`;
}

function formatDecisions(decisions: IssueDecision[], output: Output): string {
  if (decisions.length === 0) return 'No decisions yet.';
  const rows = decisions.map(({ decidedAt, actor, from, to, reason, note, carriedFrom }) => [
    formatTime(decidedAt),
    [actor.kind === 'api_key' ? 'key' : actor.kind, actor.id].filter(Boolean).join(' '),
    `${from ? labelOfStatus(from) : 'unknown'} → ${labelOfStatus(to)}`,
    [reason && labelOfReason(reason), note, carriedFrom && `(carried over from version ${carriedFrom.versionNumber})`]
      .filter(Boolean)
      .join(' '),
  ]);
  return formatTable(['DECIDED', 'BY', 'FROM → TO', 'REASON'], rows, output);
}
