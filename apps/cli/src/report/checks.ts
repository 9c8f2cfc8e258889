import type { Check, Issue } from '@assay/sdk';
import { formatCount } from './format.ts';
import { html, type Markup } from './html.ts';
import type { ReportAsset } from './report.ts';

/** Who looked, and who did not: no findings of someone who never looked mean nothing. */
export function renderChecks({ result: { checks }, issues }: ReportAsset): Markup {
  if (checks.length === 0) return html`<p class="empty">No sidekick has looked at this file.</p>`;
  const ordered = checks.toSorted((a, b) => Number(b.outcome === 'ran') - Number(a.outcome === 'ran'));
  return html`<ul class="checks">${ordered.map((check) => {
    const count = issues.filter(({ sidekickId }) => sidekickId === check.sidekickId).length;
    return renderCheck(check, count);
  })}</ul>`;
}

/** The sidekick that raised the issue. */
export function nameOf({ sidekickId }: Issue, checks: readonly Check[]): string {
  return checks.find((check) => check.sidekickId === sidekickId)?.sidekickName ?? sidekickId;
}

function renderCheck({ sidekickName: name, outcome, version, profile, omittedCount }: Check, count: number): Markup {
  const omitted =
    omittedCount > 0 && html`<span class="omitted">${formatCount(omittedCount, 'more finding')} left out</span>`;
  if (outcome !== 'ran') {
    return html`<li class="not">${mark('M4 8h8')}<b>${name}</b><span>Not applicable to this kind of file</span><small>${version} · ${profile}</small></li>`;
  }
  const found = count === 0 ? 'Checked, nothing found' : `Checked, ${formatCount(count, 'finding')}`;
  return html`<li>${mark('M3.5 8.5l3 3 6-7')}<b>${name}</b><span>${found}</span>${omitted}<small>${version} · ${profile}</small></li>`;
}

function mark(path: string): Markup {
  return html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
}
