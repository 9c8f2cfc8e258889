import type { Check, Issue } from '@assay/sdk';
import { formatExamined, formatNotApplicable, formatNotExamined } from './format/coverage.ts';
import { formatCount } from './format/format.ts';
import { formatMeasured } from './format/measured.ts';
import { html, type Markup } from './html.ts';
import { formatProfile } from './profiles.ts';
import type { ReportAsset } from './report.ts';
import { classOf, countBySeverity, isUnresolved, severities } from './severity.ts';
import { formatSeverityCounts } from './verdict/judge-report.ts';
import { isIncomplete } from './verdict/judgement.ts';

const shapes = { examined: 'M3.5 8.5l3 3 6-7', nothing: 'M4 8h8', incomplete: 'M8 3v6M8 12.5v.3' };

/** What each check examined and what it did not: only then does the absence of issues mean something. */
export function renderChecks({ result: { checks }, issues }: ReportAsset, allowIncomplete: readonly string[]): Markup {
  if (checks.length === 0) return html`<p class="empty">No checks were run on this file.</p>`;
  const rank = (check: Check) => (isIncomplete(check) ? 0 : check.outcome === 'ran' ? 1 : 2);
  const ordered = checks.toSorted((a, b) => rank(a) - rank(b));
  return html`<ul class="checks">${ordered.map((check) => {
    const own = issues.filter(({ sidekickId }) => sidekickId === check.sidekickId);
    return renderCheck(check, own, allowIncomplete.includes(check.shortName));
  })}</ul>`;
}

/** The name of the check that reported the issue. */
export function sidekickNameOf({ sidekickId }: Issue, checks: readonly Check[]): string {
  return checks.find((check) => check.sidekickId === sidekickId)?.sidekickName ?? sidekickId;
}

function renderCheck(check: Check, issues: Issue[], isAllowed: boolean): Markup {
  const { sidekickName: name, outcome, version, omittedCount } = check;
  const applied = html`<small>${version} · ${formatProfile(check)}</small>`;
  if (outcome === 'not_applicable') {
    const text = formatNotApplicable(check);
    return html`<li class="not">${renderSign(shapes.nothing)}<b>${name}</b><span>${text[0]?.toUpperCase()}${text.slice(1)}</span>${applied}</li>`;
  }
  const omitted =
    omittedCount > 0 && html`<span class="omitted">${formatCount(omittedCount, 'more issue')} omitted</span>`;
  const none = isIncomplete(check) ? 'No issues in what was examined' : 'No issues';
  const found = html`<span>${issues.length > 0 ? formatFound(issues) : none}</span>${omitted}${renderCoverage(check)}${renderMeasured(check)}${applied}`;
  if (isIncomplete(check)) {
    const allowed = isAllowed ? ', which the delivery profile allows' : '';
    return html`<li class="incomplete">${renderSign(shapes.incomplete)}<b>${name}</b><span class="missing">Incomplete${allowed}</span>${found}</li>`;
  }
  // A tick means that something was examined: without a record of it, there is none.
  const isExamined = (check.coverage?.examined.length ?? 0) > 0;
  return html`<li>${signOf(issues, isExamined)}<b>${name}</b>${found}</li>`;
}

function formatFound(issues: Issue[]): string {
  const open = issues.filter(isUnresolved);
  return open.length > 0 ? formatSeverityCounts(countBySeverity(open)) : `No open issues, ${issues.length} closed`;
}

function renderCoverage({ coverage }: Check): Markup {
  const examined = formatExamined(coverage);
  const notExamined = formatNotExamined(coverage);
  if (!coverage) return html`<span class="coverage">What was examined is not recorded</span>`;
  return html`${notExamined && html`<span class="coverage"><b>Not examined:</b> ${notExamined}</span>`}${examined && html`<span class="coverage">Examined: ${examined}</span>`}`;
}

function renderMeasured(check: Check): Markup | null {
  const measured = formatMeasured(check);
  return measured === null ? null : html`<span class="coverage">Measured: ${measured}</span>`;
}

/** The number of open issues in the colour of the worst one, instead of a tick, which would look like a pass. */
function signOf(issues: Issue[], isExamined: boolean): Markup {
  if (issues.length === 0) return renderSign(isExamined ? shapes.examined : shapes.nothing);
  const open = issues.filter(isUnresolved);
  const counts = countBySeverity(open);
  const worst = severities.find((severity) => counts[severity] > 0);
  return html`<span class="badge-count ${worst ? classOf(worst) : ''}" aria-hidden="true">${open.length}</span>`;
}

function renderSign(path: string): Markup {
  return html`<svg class="${path === shapes.examined ? 'tick' : 'sign-of-check'}" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;
}
