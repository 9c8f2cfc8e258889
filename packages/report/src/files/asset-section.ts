import type { Check, Issue } from '@assay/sdk';
import { renderChecks, sidekickNameOf } from '../checks.ts';
import { renderSeverities } from '../filters.ts';
import { formatCount } from '../format/format.ts';
import { formatMediaLine } from '../format/media.ts';
import { html, type Markup } from '../html.ts';
import { renderIssue } from '../issue-card.ts';
import { renderTimeline } from '../plots/timeline.ts';
import type { ReportAsset } from '../report.ts';
import { classOf, isUnresolved, labelOfStatus, severityIcon, severityRows, sortBySeverity } from '../severity.ts';
import { wasChecked } from '../verdict/file-counts.ts';
import { toneOf } from '../verdict/judge-report.ts';
import { effectOf, isIncomplete, labelOfVerdict } from '../verdict/judgement.ts';
import type { ReportFile } from './file-groups.ts';
import { renderFilename } from './filename.ts';
import { renderMediaFacts, renderPoster } from './media-facts.ts';
import { renderNotExamined } from './not-examined.ts';

/** Further issues are collapsed. */
const issuesShownMax = 25;

type ReportSize = 'one file' | 'a few files' | 'many files';

/**
 * A file in full. In a report on many files, its timeline and checks are collapsed, the issues that do not affect the verdict are
 * listed in a line each, and so is all of a file that passed.
 */
export function renderAsset(file: ReportFile, size: ReportSize): Markup {
  const { asset, anchor, judged } = file;
  const isLong = size === 'many files';
  const isShort = isLong && judged?.verdict === 'passed';
  return html`<section class="asset${isShort ? ' short' : ''}" id="${anchor}" aria-labelledby="${anchor}-h"${renderSeverities(asset)}>
<h2 id="${anchor}-h">${renderFilename(asset.result.filename)}</h2>
${size !== 'one file' && judged?.verdict && html`<p class="outcome t-${toneOf[judged.verdict]}"><b>${labelOfVerdict(judged)}</b></p>`}
${isShort ? renderBriefly(file, anchorIn(anchor)) : renderInFull(file, isLong)}
</section>`;
}

const anchorIn = (anchor: string) => (issue: Issue) => `${anchor}-i${issue.referenceNumber}`;

function renderInFull(file: ReportFile, isLong: boolean): Markup {
  const { asset, anchor, gate } = file;
  const { result } = asset;
  const allowed = gate?.allowIncomplete ?? [];
  const timeline = result.status === 'complete' ? renderTimeline(asset, anchorIn(anchor)) : undefined;
  return html`${renderMediaFacts(asset)}
${renderMissingResult(asset)}
${renderNotExamined(result.checks, allowed)}
${result.checks.length > 0 && html`<h3>Checks</h3>${isLong ? html`<p class="kind">${formatChecksRun(result.checks)}</p>${renderUnprinted('Show checks', renderChecks(asset, allowed))}` : renderChecks(asset, allowed)}`}
${timeline && html`<h3${isLong && html` class="on-screen"`}>Timeline</h3>${isLong ? renderUnprinted('Show timeline', timeline) : timeline}`}
${renderIssues(file, isLong)}`;
}

function renderUnprinted(title: string, content: Markup): Markup {
  return html`<details class="collapsed unprinted-details"><summary>${title}</summary>${content}</details>`;
}

/** The issues of a file that passed in one line each. Its details are collapsed, and not printed. */
function renderBriefly(file: ReportFile, anchorOf: (issue: Issue) => string): Markup {
  const { asset } = file;
  const { result, issues, poster } = asset;
  const details = { ...file, asset: { ...asset, poster: undefined } };
  return html`<div class="brief">${poster && renderPoster(asset)}<div>
<p class="kind">${formatMediaLine(result)} · version ${result.versionNumber}${result.contentSha256 && html` · SHA-256 <code>${result.contentSha256}</code>`}</p>
${renderBriefIssues(issues, anchorOf)}
<p class="kind">${formatChecksRun(result.checks)}</p>
${renderNotExamined(result.checks, file.gate?.allowIncomplete ?? [])}
${renderUnprinted('Show details', renderInFull(details, false))}</div></div>`;
}

function renderBriefIssues(issues: readonly Issue[], anchorOf: (issue: Issue) => string): Markup {
  if (issues.length === 0) return html`<p class="kind">No issues.</p>`;
  return html`<ul class="lines">${sortBySeverity(issues).map((issue) => {
    const { severity, referenceNumber, ruleCode, summary, status } = issue;
    return html`<li data-severity="${severity}"><a href="#${anchorOf(issue)}">#${referenceNumber}</a> <span class="${classOf(severity)}">${severityIcon(severity)}</span> ${severityRows[severity].label} <code>${ruleCode}</code> ${summary}${status !== 'OPEN' && ` (${labelOfStatus(status).toLowerCase()})`}</li>`;
  })}</ul>`;
}

/** `Checks run: Captions, Loudness. Not applicable: File safety.` */
function formatChecksRun(checks: readonly Check[]): string {
  const namesOf = (list: Check[]) => list.map(({ sidekickName }) => sidekickName).join(', ');
  const ran = checks.filter(({ outcome }) => outcome !== 'not_applicable');
  const others = checks.filter(({ outcome }) => outcome === 'not_applicable');
  return `Checks run: ${namesOf(ran)}.${others.length > 0 ? ` Not applicable: ${namesOf(others)}.` : ''}`;
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

function renderIssues(file: ReportFile, isLong: boolean): Markup | undefined {
  const { asset, anchor, gate } = file;
  const { issues, result } = asset;
  if (issues.length === 0) {
    if (!wasChecked(result)) return undefined;
    const count = result.checks.filter(({ outcome }) => outcome !== 'not_applicable').length;
    const incomplete = result.checks.filter(isIncomplete).length;
    const but = incomplete > 0 && ` ${formatCount(incomplete, 'check')} did not examine everything.`;
    return html`<h3>Issues</h3><p class="empty">None. ${formatCount(count, 'check')} ran and found no issues.${but}</p>`;
  }
  const sorted = sortBySeverity(issues);
  const inFull = isLong && gate ? sorted.filter((issue) => effectOf(issue, result.checks, gate)) : sorted;
  const others = sorted.filter((issue) => !inFull.includes(issue));
  const rest = inFull.slice(issuesShownMax);
  return html`<h3>Issues <span class="amount">${formatIssueCount(issues)}</span></h3>
${renderCards(file, inFull.slice(0, issuesShownMax))}${
  rest.length > 0 &&
  html`<details class="collapsed"><summary>Show ${formatCount(rest.length, 'more issue')}</summary>${renderCards(file, rest)}</details>`
}${
  others.length > 0 &&
  html`<div class="others"><p class="kind">Without effect on the verdict:</p>${renderBriefIssues(others, anchorIn(anchor))}${renderUnprinted('Show their details', renderCards(file, others))}</div>`
}`;
}

function renderCards({ asset, anchor }: ReportFile, issues: readonly Issue[]): Markup {
  const { stills, result, measurements } = asset;
  const cards = issues.map((issue) =>
    renderIssue({
      issue,
      anchor: anchorIn(anchor)(issue),
      sidekickName: sidekickNameOf(issue, result.checks),
      stills: stills[issue.id] ?? [],
      frameRate: measurements?.frameRate,
    }),
  );
  return html`<ol class="issues">${cards}</ol>`;
}

/** `8`, or `8, and 1 resolved or dismissed`. The first number is the issue count used everywhere else. */
function formatIssueCount(issues: readonly Issue[]): string {
  const unresolvedCount = issues.filter(isUnresolved).length;
  const settledCount = issues.length - unresolvedCount;
  return settledCount > 0 ? `${unresolvedCount}, and ${settledCount} resolved or dismissed` : String(unresolvedCount);
}
