import type { Check, Issue } from '@assay/sdk';
import { formatCount } from '../format/format.ts';
import { html, type Markup } from './html.ts';
import type { ReportAsset } from './report.ts';
import { isUnresolved } from './severity.ts';

/** The checks that ran and those that did not: without a check, the absence of issues means nothing. */
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
export function nameOf({ sidekickId }: Issue, checks: readonly Check[]): string {
  return checks.find((check) => check.sidekickId === sidekickId)?.sidekickName ?? sidekickId;
}

function renderCheck({ sidekickName: name, outcome, version, profile, omittedCount }: Check, issues: Issue[]): Markup {
  const omitted =
    omittedCount > 0 && html`<span class="omitted">${formatCount(omittedCount, 'more issue')} omitted</span>`;
  if (outcome !== 'ran') {
    return html`<li class="not">${mark('M4 8h8')}<b>${name}</b><span>Not applicable to this file type</span><small>${version} · ${profile}</small></li>`;
  }
  const count = issues.filter(isUnresolved).length;
  const found = count > 0 ? formatCount(count, 'issue') : issues.length > 0 ? 'No open issues' : 'No issues';
  const icon = count > 0 ? mark('M8 3v6M8 12.5v.5') : mark('M3.5 8.5l3 3 6-7');
  return html`<li${count > 0 && html` class="found"`}>${icon}<b>${name}</b><span>${found}</span>${omitted}<small>${version} · ${profile}</small></li>`;
}

function mark(path: string): Markup {
  return html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
}
