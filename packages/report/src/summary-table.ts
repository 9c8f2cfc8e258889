import type { Issue } from '@assay/sdk';
import { wasChecked } from './file-counts.ts';
import { renderFilename } from './filename.ts';
import { formatCount } from './format/format.ts';
import { html, type Markup } from './html.ts';
import { rejectionStageOf } from './rejected-files.ts';
import type { RejectedFile, Report, ReportAsset } from './report.ts';
import { classOf, countBySeverity, isUnresolved, severities, severityIcon, severityRows } from './severity.ts';
import { type AppliedGate, gateOf, judgeAsset, labelOfVerdict } from './verdict/judgement.ts';

type Anchors = { asset: (index: number) => string; rejected: (index: number) => string };

/** A table of all files. Its ARIA roles are explicit, because narrow pages display the rows as blocks. */
export function renderSummary({ submission, failOn, assets, rejected }: Report, anchors: Anchors): Markup {
  const gate = submission && gateOf(submission, failOn);
  return html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<table class="summary" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">File</th><th role="columnheader" scope="col">Result</th>${severities.map(
    (severity) => html`<th role="columnheader" scope="col" class="n">${severityRows[severity].label}</th>`,
  )}</tr></thead><tbody role="rowgroup">${assets.map((asset, i) => renderLine(asset, anchors.asset(i), gate))}${rejected.map((file, i) => renderRejectedLine(file, anchors.rejected(i)))}</tbody></table></section>`;
}

function renderLine(asset: ReportAsset, anchor: string, gate: AppliedGate | null): Markup {
  const { result, issues } = asset;
  const counts = countBySeverity(issues.filter(isUnresolved));
  const isKnown = wasChecked(result);
  return html`<tr role="row"><th role="rowheader" scope="row"><a href="#${anchor}">${renderFilename(result.filename)}</a></th><td role="cell">${formatState(asset, gate)}</td>${severities.map(
    (severity) => {
      const count = counts[severity];
      const shown = isKnown ? count : '–';
      return html`<td role="cell" class="n ${count > 0 ? classOf(severity) : 'none'}"><span class="label">${severityRows[severity].label} </span>${count > 0 && severityIcon(severity)}${shown}</td>`;
    },
  )}</tr>`;
}

function renderRejectedLine(file: RejectedFile, anchor: string): Markup {
  return html`<tr role="row"><th role="rowheader" scope="row"><a href="#${anchor}">${renderFilename(file.filename)}</a></th><td role="cell">${formatStage(file)}</td>${severities.map(
    (severity) =>
      html`<td role="cell" class="n none"><span class="label">${severityRows[severity].label} </span>–</td>`,
  )}</tr>`;
}

function formatStage(file: RejectedFile): Markup {
  const stage = rejectionStageOf(file);
  if (file.stage === 'unfinished') return html`<b>${stage}</b>`;
  return html`<b>Rejected</b><small>${stage.replace('Rejected ', '')}</small>`;
}

function formatState(asset: ReportAsset, gate: AppliedGate | null): Markup | string {
  const { result, issues } = asset;
  if (result.status !== 'complete' && result.status !== 'failed') return `In progress, ${result.progressPercent} %`;
  if (result.status === 'complete' && result.issueCount === null) return 'Not analysed (sandbox)';
  const label = gate ? labelOfVerdict(judgeAsset(asset, gate)) : 'Not checked';
  return html`<b>${label}</b><small>${describeResult(result, issues)}</small>`;
}

function describeResult(result: ReportAsset['result'], issues: readonly Issue[]): string {
  if (result.status === 'failed') return 'Could not be analysed';
  if (!wasChecked(result)) return 'No check applies';
  const unresolved = issues.filter(isUnresolved);
  const awaiting = unresolved.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length;
  if (unresolved.length === 0) return issues.length === 0 ? 'No issues' : 'No open issues';
  const review = awaiting > 0 ? `, ${formatCount(awaiting, 'needs', 'need')} review` : '';
  return `${formatCount(unresolved.length, 'issue')}${review}`;
}
