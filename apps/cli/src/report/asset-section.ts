import type { Issue } from '@assay/sdk';
import { nameOf, renderChecks } from './checks.ts';
import { renderFilename } from './filename.ts';
import { renderFinding } from './finding.ts';
import { formatBytes, formatClock, formatCount } from './format.ts';
import { html, type Markup } from './html.ts';
import type { ReportAsset } from './report.ts';
import { worstFirst } from './severity.ts';
import { durationOf } from './time-axis.ts';
import { renderTimeline } from './timeline.ts';
import { wasChecked } from './verdict.ts';

type Shown = { asset: ReportAsset; anchor: string; isFolded: boolean };

/** Of more findings than this the rest is folded. */
const findingsShownMax = 25;

export function renderAsset({ asset, anchor, isFolded }: Shown): Markup {
  const { result } = asset;
  const anchorOf = (issue: Issue) => `${anchor}-f${issue.referenceNumber}`;
  const timeline = result.status === 'complete' ? renderTimeline(asset, anchorOf) : undefined;
  return html`<section class="asset" id="${anchor}" aria-labelledby="${anchor}-h">
<h2 id="${anchor}-h">${renderFilename(result.filename)}</h2>
<p class="kind">${kindOf(asset)}</p>
${whyNot(asset)}
${result.checks.length > 0 && html`<h3>What was checked</h3>${renderChecks(asset)}`}
${timeline && (isFolded ? html`<h3>Over time</h3><details class="fold"><summary>Show findings and measurements over time</summary>${timeline}</details>` : html`<h3>Over time</h3>${timeline}`)}
${renderFindings(asset, anchorOf)}
</section>`;
}

function kindOf(asset: ReportAsset): string {
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

/** Where there are no results: that, and why. */
function whyNot({ result }: ReportAsset): Markup | undefined {
  const { status, errorMessage, errorType, isRetryable, issueCount, progressPercent } = result;
  const panel = (title: string, text: string, small: string | null = null) =>
    html`<div class="panel"><b>${title}</b><p>${text}</p>${small && html`<small>${small}</small>`}</div>`;
  if (status === 'failed') {
    const again = isRetryable ? 'It can be retried.' : 'To retry it will not help.';
    return panel(
      'Could not be analysed',
      errorMessage ?? 'No reason was given.',
      [errorType, again].filter(Boolean).join(' · '),
    );
  }
  if (status !== 'complete') return panel('Not finished yet', `${progressPercent} % of the analysis is done.`);
  if (issueCount === null) {
    return panel(
      'Rehearsed, not analysed',
      'Nobody has looked at this file. That there are no findings says nothing about it.',
    );
  }
  if (!wasChecked(result))
    return panel(
      'Not checked',
      'No sidekick has looked at this file. That there are no findings says nothing about it.',
    );
  return undefined;
}

function renderFindings(asset: ReportAsset, anchorOf: (issue: Issue) => string): Markup | undefined {
  const { issues, stills, result } = asset;
  if (issues.length === 0) {
    if (!wasChecked(result)) return undefined;
    const names = result.checks.filter(({ outcome }) => outcome === 'ran').length;
    return html`<h3>Findings</h3><p class="empty">None. ${formatCount(names, 'sidekick has', 'sidekicks have')} looked and found nothing.</p>`;
  }
  const cards = worstFirst(issues).map((issue) =>
    renderFinding({
      issue,
      anchor: anchorOf(issue),
      sidekickName: nameOf(issue, result.checks),
      stills: stills[issue.id] ?? [],
    }),
  );
  const rest = cards.slice(findingsShownMax);
  return html`<h3>Findings <span class="amount">${issues.length}</span></h3>
<ol class="findings">${cards.slice(0, findingsShownMax)}</ol>${
    rest.length > 0 &&
    html`<details class="fold"><summary>Show ${formatCount(rest.length, 'more finding')}</summary><ol class="findings">${rest}</ol></details>`
  }`;
}
