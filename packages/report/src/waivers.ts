import type { IssueDecision } from '@assay/sdk';
import type { FileGroups, ReportFile } from './files/file-groups.ts';
import { renderFilename } from './files/filename.ts';
import { labelOfReason } from './format/decision.ts';
import { formatDateTime } from './format/format.ts';
import { html, type Markup } from './html.ts';
import type { ReportAsset } from './report.ts';
import { labelOfStatus, severityRows, sortBySeverity } from './severity.ts';
import { effectOf } from './verdict/judgement.ts';

type Issue = ReportAsset['issues'][number];
type Waiver = { asset: ReportAsset; issue: Issue; anchor: string };

/** The issues that would otherwise stop a pass: what was waived, by whom, when, why, and in which version. */
export function renderWaivers({ beforeRejected, afterRejected }: FileGroups): Markup | undefined {
  const files = [...beforeRejected, ...afterRejected];
  const waivers = files.flatMap(waiversOf);
  if (waivers.length === 0) return undefined;
  const hasSeveralFiles = files.length > 1;
  return html`<section aria-labelledby="waivers"><h2 id="waivers">Waivers <span class="amount">${waivers.length}</span></h2>
<ul class="waivers">${waivers.map((waiver) => renderWaiver(waiver, hasSeveralFiles))}</ul></section>`;
}

function waiversOf({ asset, anchor, gate }: ReportFile): Waiver[] {
  if (!gate) return [];
  return sortBySeverity(asset.issues)
    .filter((issue) => effectOf(issue, asset.result.checks, gate) === 'waived')
    .map((issue) => ({ asset, issue, anchor: `${anchor}-i${issue.referenceNumber}` }));
}

function renderWaiver({ asset, issue, anchor }: Waiver, hasFilename: boolean): Markup {
  const { referenceNumber, ruleCode, severity, status, statusReason, statusNote, statusChangedAt, summary } = issue;
  const latest = asset.decisions[issue.id]?.[0];
  const reason = statusReason && html`: ${labelOfReason(statusReason)}`;
  const facts = [
    statusChangedAt && formatDateTime(statusChangedAt),
    latest && `by ${formatActor(latest)}`,
    latest?.carriedFrom && `carried over from version ${latest.carriedFrom.versionNumber}`,
  ];
  return html`<li class="waiver"><p><a href="#${anchor}">#${referenceNumber}</a> ${severityRows[severity].label} <code>${ruleCode}</code>${hasFilename && html` in ${renderFilename(asset.result.filename)}`}</p>
<p>${summary}</p>
<p><b>${labelOfStatus(status)}${reason}</b> <span>${facts.filter(Boolean).join(', ')}</span></p>${statusNote && html`<p class="reason">${statusNote}</p>`}</li>`;
}

const actorLabels: Record<IssueDecision['actor']['kind'], string> = {
  api_key: 'API key',
  person: 'person',
  operator: 'an operator',
  service: 'the service',
  unknown: 'an unknown caller',
};

function formatActor({ actor: { kind, id } }: IssueDecision): string {
  return id === null ? actorLabels[kind] : `${actorLabels[kind]} ${id}`;
}
