import type { Issue } from '@assay/sdk';
import { renderChecks, sidekickNameOf } from './checks.ts';
import { wasChecked } from './file-counts.ts';
import { renderFilename } from './filename.ts';
import { formatBytes, formatClock, formatCount } from './format/format.ts';
import { html, type Markup } from './html.ts';
import { renderIssue } from './issue-card.ts';
import { durationOf } from './plots/time-axis.ts';
import { renderTimeline } from './plots/timeline.ts';
import type { ReportAsset } from './report.ts';
import { isUnresolved, sortBySeverity } from './severity.ts';
import { toneOf } from './verdict/judge-report.ts';
import { type AppliedGate, isIncomplete, judgeAsset, labelOfVerdict } from './verdict/judgement.ts';

type AssetSection = { asset: ReportAsset; anchor: string; gate: AppliedGate | null; isCollapsed: boolean };

/** Further issues are collapsed. */
const issuesShownMax = 25;

export function renderAsset({ asset, anchor, gate, isCollapsed }: AssetSection): Markup {
  const { result } = asset;
  const anchorOf = (issue: Issue) => `${anchor}-i${issue.referenceNumber}`;
  const timeline = result.status === 'complete' ? renderTimeline(asset, anchorOf) : undefined;
  return html`<section class="asset" id="${anchor}" aria-labelledby="${anchor}-h">
<h2 id="${anchor}-h">${renderFilename(result.filename)}</h2>
${gate && renderVerdict(asset, gate)}
<p class="kind">${describeFile(asset)}</p>
${result.contentSha256 && html`<p class="kind">SHA-256 <code>${result.contentSha256}</code></p>`}
${renderMissingResult(asset)}
${result.checks.length > 0 && html`<h3>Checks</h3>${renderChecks(asset, gate?.allowIncomplete ?? [])}`}
${timeline && (isCollapsed ? html`<h3>Timeline</h3><details class="collapsed"><summary>Show timeline</summary>${timeline}</details>` : html`<h3>Timeline</h3>${timeline}`)}
${renderIssues(asset, anchorOf)}
</section>`;
}

function renderVerdict(asset: ReportAsset, gate: AppliedGate): Markup | undefined {
  const judged = judgeAsset(asset, gate);
  return judged.verdict
    ? html`<p class="outcome t-${toneOf[judged.verdict]}"><b>${labelOfVerdict(judged)}</b></p>`
    : undefined;
}

function describeFile(asset: ReportAsset): string {
  const { mimeType, sizeBytes, versionNumber, assetId } = asset.result;
  const durationMs = durationOf(asset);
  return [
    mimeType,
    formatBytes(sizeBytes),
    durationMs && formatClock(durationMs),
    `version ${versionNumber}`,
    `asset ${assetId}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A panel that says why the asset has no result; undefined if it has one. */
function renderMissingResult({ result }: ReportAsset): Markup | undefined {
  const { status, errorMessage, errorType, isRetryable, issueCount, progressPercent } = result;
  const panel = (title: string, text: string, small: string | null = null) =>
    html`<div class="panel"><b>${title}</b><p>${text}</p>${small && html`<small>${small}</small>`}</div>`;
  if (status === 'failed') {
    const retry = isRetryable ? 'Can be retried' : 'Retrying will not help';
    return panel(
      'Could not be analysed',
      errorMessage ?? 'No reason given.',
      [errorType, retry].filter(Boolean).join(' · '),
    );
  }
  if (status !== 'complete') return panel('Not finished', `The analysis is ${progressPercent} % complete.`);
  if (issueCount === null) {
    return panel(
      'Simulated run, not analysed',
      'This file was submitted with a sandbox key and was not analysed. It may have issues.',
    );
  }
  if (!wasChecked(result)) return panel('Not checked', 'No check was run on this file. It may have issues.');
  return undefined;
}

function renderIssues(asset: ReportAsset, anchorOf: (issue: Issue) => string): Markup | undefined {
  const { issues, stills, result, measurements } = asset;
  if (issues.length === 0) {
    if (!wasChecked(result)) return undefined;
    const count = result.checks.filter(({ outcome }) => outcome !== 'not_applicable').length;
    const incomplete = result.checks.filter(isIncomplete).length;
    const but = incomplete > 0 && ` ${formatCount(incomplete, 'check')} did not examine everything.`;
    return html`<h3>Issues</h3><p class="empty">None. ${formatCount(count, 'check')} ran and found no issues.${but}</p>`;
  }
  const cards = sortBySeverity(issues).map((issue) =>
    renderIssue({
      issue,
      anchor: anchorOf(issue),
      sidekickName: sidekickNameOf(issue, result.checks),
      stills: stills[issue.id] ?? [],
      frameRate: measurements?.frameRate,
    }),
  );
  const rest = cards.slice(issuesShownMax);
  return html`<h3>Issues <span class="amount">${formatIssueCount(issues)}</span></h3>
<ol class="issues">${cards.slice(0, issuesShownMax)}</ol>${
    rest.length > 0 &&
    html`<details class="collapsed"><summary>Show ${formatCount(rest.length, 'more issue')}</summary><ol class="issues">${rest}</ol></details>`
  }`;
}

/** `8`, or `8, and 1 resolved or dismissed`. The first number is the issue count used everywhere else. */
function formatIssueCount(issues: readonly Issue[]): string {
  const unresolvedCount = issues.filter(isUnresolved).length;
  const settledCount = issues.length - unresolvedCount;
  return settledCount > 0 ? `${unresolvedCount}, and ${settledCount} resolved or dismissed` : String(unresolvedCount);
}
