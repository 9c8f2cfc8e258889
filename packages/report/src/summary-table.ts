import type { Issue } from '@assay/sdk';
import { wasChecked } from './file-counts.ts';
import { renderFilename } from './filename.ts';
import { formatCount } from './format/format.ts';
import { html, type Markup } from './html.ts';
import { rejectionStageOf } from './rejected-files.ts';
import type { RejectedFile, Report, ReportAsset } from './report.ts';
import { classOf, countBySeverity, isUnresolved, severities, severityIcon, severityRows } from './severity.ts';

type Anchors = { asset: (index: number) => string; rejected: (index: number) => string };

/** A table of all files. Its ARIA roles are explicit, because narrow pages display the rows as blocks. */
export function renderSummary({ assets, rejected }: Report, anchors: Anchors): Markup {
  return html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<table class="summary" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">File</th><th role="columnheader" scope="col">Result</th>${severities.map(
    (severity) => html`<th role="columnheader" scope="col" class="n">${severityRows[severity].label}</th>`,
  )}</tr></thead><tbody role="rowgroup">${assets.map((asset, i) => renderLine(asset, anchors.asset(i)))}${rejected.map((file, i) => renderRejectedLine(file, anchors.rejected(i)))}</tbody></table></section>`;
}

function renderLine({ result, issues }: ReportAsset, anchor: string): Markup {
  const counts = countBySeverity(issues.filter(isUnresolved));
  const isKnown = wasChecked(result);
  return html`<tr role="row"><th role="rowheader" scope="row"><a href="#${anchor}">${renderFilename(result.filename)}</a></th><td role="cell">${formatState(result, issues)}</td>${severities.map(
    (severity) => {
      const count = counts[severity];
      const shown = isKnown ? count : '–';
      return html`<td role="cell" class="n ${count > 0 ? classOf(severity) : 'none'}"><span class="label">${severityRows[severity].label} </span>${count > 0 && severityIcon(severity)}${shown}</td>`;
    },
  )}</tr>`;
}

function renderRejectedLine(file: RejectedFile, anchor: string): Markup {
  return html`<tr role="row"><th role="rowheader" scope="row"><a href="#${anchor}">${renderFilename(file.filename)}</a></th><td role="cell"><b>Rejected</b><small>${rejectionStageOf(file).replace('Rejected ', '')}</small></td>${severities.map(
    (severity) =>
      html`<td role="cell" class="n none"><span class="label">${severityRows[severity].label} </span>–</td>`,
  )}</tr>`;
}

function formatState(result: ReportAsset['result'], issues: readonly Issue[]): Markup | string {
  if (result.status === 'failed') return html`<b>Could not be analysed</b>`;
  if (result.status !== 'complete') return `In progress, ${result.progressPercent} %`;
  if (result.issueCount === null) return 'Not analysed (sandbox)';
  if (!wasChecked(result)) return 'Not checked';
  const unresolved = issues.filter(isUnresolved);
  const awaiting = unresolved.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length;
  if (unresolved.length === 0) return issues.length === 0 ? 'No issues' : 'No open issues';
  return html`${formatCount(unresolved.length, 'issue')}${awaiting > 0 && html`<small>${formatCount(awaiting, 'needs', 'need')} review</small>`}`;
}
