import type { Issue, Precedent, PreviousDecision } from '@assay/sdk';
import { renderFact } from './fact.ts';
import { formatNotCarried, labelOfReason } from './format/decision.ts';
import { formatCount, formatDateTime, formatNumber, formatShare } from './format/format.ts';
import { formatLocation, locationsInTextMax } from './format/location.ts';
import { formatMeasurement } from './format/measurement.ts';
import { formatUnverified } from './format/standard.ts';
import { html, type Markup } from './html.ts';
import { classOf, isUnresolved, labelOfStatus, severityIcon, severityRows } from './severity.ts';
import { renderStills } from './still.ts';

type IssueCard = {
  issue: Issue;
  anchor: string;
  sidekickName: string;
  stills: readonly Uint8Array[];
  frameRate: number | null | undefined;
};

/** Further locations are collapsed. */
const locationsShownMax = 6;

export function renderIssue({ issue, anchor, sidekickName, stills, frameRate }: IssueCard): Markup {
  const { severity, status, referenceNumber, ruleCode, summary, severityReasoningHeadline } = issue;
  const needsReview = status === 'AWAITING_HUMAN_INPUT';
  const className = `issue ${classOf(severity)}${isUnresolved(issue) ? '' : ' settled'}`;
  return html`<li class="${className}" id="${anchor}" data-severity="${severity}"><article aria-labelledby="${anchor}-h">
<div class="tags"><span class="badge ${classOf(severity)}">${severityIcon(severity)}${severityRows[severity].label}</span><span class="number">#${referenceNumber}</span><code>${ruleCode}</code><span class="by">${sidekickName}</span><span class="status${needsReview ? ' review' : ''}">${labelOfStatus(status)}</span></div>
<h4 id="${anchor}-h">${summary}</h4>
<p class="why">${severityReasoningHeadline}</p>
<dl class="facts">${factsOf(issue, frameRate)}</dl>
${renderStills(issue, stills, frameRate)}
${issue.statusChangedAt && renderDecision(issue, issue.statusChangedAt)}
${issue.previousDecision && renderPreviousDecision(issue.previousDecision)}
<p class="how">${issue.severityReasoning}</p>
${issue.precedents.length > 0 && renderPrecedents(issue.precedents)}
</article></li>`;
}

function factsOf(issue: Issue, frameRate: IssueCard['frameRate']): Markup[] {
  const { standard, locations, confidence } = issue;
  const { measured, limit } = formatMeasurement(issue);
  return [
    ...(measured === null ? [] : [renderFact('Measured', html`<b>${measured}</b>`, 'figure')]),
    ...(limit === null ? [] : [renderFact('Limit', limit, 'figure')]),
    renderFact('Confidence', formatShare(confidence), 'figure'),
    ...(standard ? [renderFact('Standard', renderStandard(standard), 'standard')] : []),
    renderFact(
      'Location',
      renderLocations(locations.map((location) => formatLocation(location, frameRate))),
      'location',
    ),
  ];
}

function renderStandard(standard: NonNullable<Issue['standard']>): Markup {
  const unverified = formatUnverified(standard);
  return html`${standard.name}<br>${standard.clause}${unverified && html`<br><small>(${unverified})</small>`}`;
}

function renderLocations(words: string[]): Markup | string {
  if (words.length === 0) return 'Whole file';
  const item = (text: string) => html`<li>${text}</li>`;
  const rest = words.slice(locationsShownMax);
  // In print, a few collapsed locations are also shown, followed by the number of omitted ones.
  const unprinted = words.length - locationsInTextMax;
  return html`<ul>${words.slice(0, locationsShownMax).map(item)}</ul>${
    rest.length > 0 &&
    html`<details class="places"><summary>${formatCount(rest.length, 'more location')}</summary><ul>${rest.map(item)}</ul></details>${
      unprinted > 0 && html`<p class="unprinted">and ${formatNumber(unprinted, 0)} more</p>`
    }`
  }`;
}

function renderDecision({ status, statusReason, statusNote }: Issue, decidedAt: string): Markup {
  const reason = statusReason && html`: ${labelOfReason(statusReason)}`;
  return html`<div class="note"><b>${labelOfStatus(status)}${reason}</b> <span>${formatDateTime(decidedAt)}</span>${statusNote && html`<p>${statusNote}</p>`}</div>`;
}

function renderPreviousDecision(previous: PreviousDecision): Markup {
  const { status, reason, note, versionNumber, decidedAt } = previous;
  const was = `${labelOfStatus(status)} in version ${versionNumber}`;
  return html`<div class="note"><b>${was}${reason && html`: ${labelOfReason(reason)}`}</b> <span>${formatDateTime(decidedAt)}</span>${note && html`<p>${note}</p>`}<p>Reopened: ${formatNotCarried(previous)}.</p></div>`;
}

function renderPrecedents(list: Precedent[]): Markup {
  const item = ({ url, title, decision, date }: Precedent) =>
    html`<li>${isHttp(url) ? html`<a href="${url}" rel="noreferrer">${title}</a>` : title}: ${decision}, ${date}</li>`;
  return html`<div class="precedents"><b>Precedents</b><ul>${list.map(item)}</ul></div>`;
}

function isHttp(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
