import type { Issue } from '@assay/sdk';
import { countVerdicts, type FileGroups, type ListedRejection, type ReportFile } from './files/file-groups.ts';
import { renderFilename } from './files/filename.ts';
import { rejectionStageOf } from './files/rejected-files.ts';
import { renderSeverities } from './filters.ts';
import { formatCount } from './format/format.ts';
import { html, type Markup } from './html.ts';
import {
  classOf,
  countBySeverity,
  isUnresolved,
  severities,
  severityIcon,
  severityRows,
  sortBySeverity,
} from './severity.ts';
import { wasChecked } from './verdict/file-counts.ts';
import { toneOf } from './verdict/judge-report.ts';
import { type Effect, effectOf, labelOfVerdict } from './verdict/judgement.ts';

/** Further issues of a file are only counted: its section has them all. */
const issuesShownMax = 3;

/** How the issues that explain each verdict count. */
const effects: Partial<Record<string, Effect>> = {
  failed: 'blocks',
  needs_review: 'review',
  passed_with_waivers: 'waived',
};

/** A table of all files, the worst first. Its ARIA roles are explicit, because narrow pages display the rows as blocks. */
export function renderOverview(groups: FileGroups): Markup {
  const { beforeRejected, rejected, afterRejected } = groups;
  return html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<ul class="verdicts">${countVerdicts(groups).map(({ tone, text }) => html`<li class="t-${tone}">${text}</li>`)}</ul>
<table class="summary" role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">File</th><th role="columnheader" scope="col">Result</th>${severities.map(
    (severity) => html`<th role="columnheader" scope="col" class="n">${severityRows[severity].label}</th>`,
  )}</tr></thead><tbody role="rowgroup">${beforeRejected.map(renderLine)}${rejected.map(renderRejectedLine)}${afterRejected.map(renderLine)}</tbody></table></section>`;
}

function renderLine(file: ReportFile): Markup {
  const { result, issues } = file.asset;
  const reasons = reasonsOf(file);
  const counts = countBySeverity(issues.filter(isUnresolved));
  const isKnown = wasChecked(result);
  return html`<tr role="row"${renderSeverities(file.asset)}><th role="rowheader" scope="row"><a href="#${file.anchor}">${renderFilename(result.filename)}</a></th><td role="cell">${renderState(file)}</td>${severities.map(
    (severity) => {
      const count = isKnown ? counts[severity] : 0;
      const shown = isKnown ? count : '–';
      return html`<td role="cell" class="n ${count > 0 ? classOf(severity) : 'none'}"><span class="label">${severityRows[severity].label} </span>${count > 0 && severityIcon(severity)}${shown}</td>`;
    },
  )}</tr>${reasons.length > 0 && renderReasons(file, reasons)}`;
}

/** The issues behind the verdict, below the file and across all columns. */
function renderReasons({ asset, anchor }: ReportFile, issues: readonly Issue[]): Markup {
  const rest = issues.length - issuesShownMax;
  return html`<tr role="row" class="reasons"${renderSeverities(asset)}><td role="cell" colspan="6"><ul>${issues.slice(0, issuesShownMax).map((issue) => renderReason(issue, anchor))}${rest > 0 && html`<li>and ${rest} more</li>`}</ul></td></tr>`;
}

function renderRejectedLine({ file, anchor }: ListedRejection): Markup {
  return html`<tr role="row"><th role="rowheader" scope="row"><a href="#${anchor}">${renderFilename(file.filename)}</a></th><td role="cell">${renderLabel('unchecked', file.stage === 'unfinished' ? 'No result' : 'Rejected')}<small>${file.stage === 'unfinished' ? file.reason : rejectionStageOf(file).replace('Rejected ', '')}</small></td>${severities.map(
    (severity) =>
      html`<td role="cell" class="n none"><span class="label">${severityRows[severity].label} </span>–</td>`,
  )}</tr>`;
}

function renderState(file: ReportFile): Markup | string {
  const { judged } = file;
  const { result, issues } = file.asset;
  if (result.status !== 'complete' && result.status !== 'failed') return `In progress, ${result.progressPercent} %`;
  if (result.status === 'complete' && result.issueCount === null) return 'Not analysed (sandbox)';
  const label = judged?.verdict
    ? renderLabel(toneOf[judged.verdict], labelOfVerdict(judged))
    : html`<b>Not checked</b>`;
  return html`${label}<small>${describeResult(result, issues)}</small>`;
}

function renderLabel(tone: string, label: string): Markup {
  return html`<b class="word t-${tone}">${label}</b>`;
}

function reasonsOf({ asset, gate, judged }: ReportFile): Issue[] {
  const effect = effects[judged?.verdict ?? ''];
  if (!gate || !effect) return [];
  return sortBySeverity(asset.issues.filter((issue) => effectOf(issue, asset.result.checks, gate) === effect));
}

function renderReason({ severity, ruleCode, summary, referenceNumber }: Issue, anchor: string): Markup {
  return html`<li data-severity="${severity}"><a href="#${anchor}-i${referenceNumber}">#${referenceNumber}</a> ${severityRows[severity].label} <code>${ruleCode}</code> ${summary}</li>`;
}

function describeResult(result: ReportFile['asset']['result'], issues: readonly Issue[]): string {
  if (result.status === 'failed') return result.errorMessage ?? 'Could not be analysed';
  if (!wasChecked(result)) return 'No check applies';
  const unresolved = issues.filter(isUnresolved);
  if (unresolved.length === 0) return issues.length === 0 ? 'No issues' : 'No open issues';
  const awaiting = unresolved.filter(({ status }) => status === 'AWAITING_HUMAN_INPUT').length;
  const review = awaiting > 0 ? `, ${formatCount(awaiting, 'needs', 'need')} review` : '';
  return `${formatCount(unresolved.length, 'issue')}${review}`;
}
