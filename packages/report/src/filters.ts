import { html, type Markup } from './html.ts';
import type { Report, ReportAsset } from './report.ts';
import { classOf, countWithClosed, type Severity, severities, severityIcon, severityRows } from './severity.ts';
import { wasChecked } from './verdict/file-counts.ts';

/** The severity filters. They are hidden until the script runs, because without it they would do nothing. */
export function renderFilters({ assets }: Report): Markup | undefined {
  const issues = assets.flatMap((asset) => asset.issues);
  const issuesOf = (wanted: Severity) => issues.filter(({ severity }) => severity === wanted);
  const present = severities.filter((severity) => issuesOf(severity).length > 0);
  if (present.length < 2) return undefined;
  return html`<div class="filters" role="group" aria-label="Filter issues by severity" hidden><span>Show</span>${present.map(
    (severity) =>
      html`<button type="button" aria-pressed="true" value="${severity}" class="${classOf(severity)}">${severityIcon(severity)}${severityRows[severity].label} <b>${countWithClosed(issuesOf(severity))}</b></button>`,
  )}<output></output></div>`;
}

/** The filter hides a file without an issue of the shown severities, but never one that was not checked. */
export function renderSeverities({ result, issues }: ReportAsset): Markup | false {
  return (
    wasChecked(result) && html` data-severities="${[...new Set(issues.map(({ severity }) => severity))].join(' ')}"`
  );
}
