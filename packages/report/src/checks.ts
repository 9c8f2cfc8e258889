import type { Check, Issue } from '@assay/sdk';
import { formatCount } from './format/format.ts';
import { html, type Markup } from './html.ts';
import { formatProfile } from './profiles.ts';
import type { ReportAsset } from './report.ts';
import { classOf, countBySeverity, isUnresolved, severities } from './severity.ts';
import { formatSeverityCounts } from './verdict.ts';

/** The checks that ran, then those that did not: if no check ran, the absence of issues means nothing. */
export function renderChecks({ result: { checks }, issues }: ReportAsset): Markup {
  if (checks.length === 0) return html`<p class="empty">No checks were run on this file.</p>`;
  const ordered = checks.toSorted((a, b) => Number(b.outcome === 'ran') - Number(a.outcome === 'ran'));
  return html`<ul class="checks">${ordered.map((check) => {
    return renderCheck(
      check,
      issues.filter(({ sidekickId }) => sidekickId === check.sidekickId),
    );
  })}</ul>`;
}

/** The name of the check that reported the issue. */
export function sidekickNameOf({ sidekickId }: Issue, checks: readonly Check[]): string {
  return checks.find((check) => check.sidekickId === sidekickId)?.sidekickName ?? sidekickId;
}

function renderCheck(check: Check, issues: Issue[]): Markup {
  const { sidekickName: name, outcome, version, omittedCount } = check;
  const applied = html`<small>${version} · ${formatProfile(check)}</small>`;
  const omitted =
    omittedCount > 0 && html`<span class="omitted">${formatCount(omittedCount, 'more issue')} omitted</span>`;
  if (outcome !== 'ran') {
    return html`<li class="not">${renderTick('M4 8h8')}<b>${name}</b><span>Not applicable to this file</span>${applied}</li>`;
  }
  if (issues.length === 0) {
    return html`<li>${renderTick('M3.5 8.5l3 3 6-7')}<b>${name}</b><span>No issues</span>${omitted}${applied}</li>`;
  }
  const counts = countBySeverity(issues.filter(isUnresolved));
  const worst = severities.find((severity) => counts[severity] > 0);
  const openCount = issues.filter(isUnresolved).length;
  const found = openCount > 0 ? formatSeverityCounts(counts) : `No open issues, ${issues.length} closed`;
  return html`<li>${countBadge(openCount, worst ? classOf(worst) : '')}<b>${name}</b><span>${found}</span>${omitted}${applied}</li>`;
}

/** The number of open issues in the colour of the worst one, instead of a tick, which would look like a pass. */
function countBadge(count: number, className: string): Markup {
  return html`<span class="badge-count ${className}" aria-hidden="true">${count}</span>`;
}

function renderTick(path: string): Markup {
  return html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
}
