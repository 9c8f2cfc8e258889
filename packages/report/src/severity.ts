import type { Issue } from '@assay/sdk';
import { html, type Markup } from './html.ts';

export type Severity = Issue['severity'];
export type SeverityCounts = Record<Severity, number>;

type Row = { label: string; word: string; shape: Markup };

/** Severities from the most severe down. Each has its own shape, so that colour is never the only difference. */
export const severityRows: Record<Severity, Row> = {
  CRITICAL: { label: 'Critical', word: 'critical', shape: html`<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"/>` },
  MAJOR: { label: 'Major', word: 'major', shape: html`<path d="M8 1.2 15.4 14.6H.6z"/>` },
  MINOR: { label: 'Minor', word: 'minor', shape: html`<path d="M8 .8 15.2 8 8 15.2.8 8z"/>` },
  INFO: { label: 'Info', word: 'info', shape: html`<circle cx="8" cy="8" r="6.8"/>` },
};
export const severities = Object.keys(severityRows) as Severity[];

const statusLabels: Record<Issue['status'], string> = {
  OPEN: 'Open',
  ACKNOWLEDGED: 'Acknowledged',
  AWAITING_HUMAN_INPUT: 'Needs review',
  RESOLVED: 'Resolved',
  DISMISSED: 'Dismissed',
};

/** Whether the issue counts: resolved and dismissed issues are listed, but not counted. */
export function isUnresolved({ status }: Pick<Issue, 'status'>): boolean {
  return status !== 'RESOLVED' && status !== 'DISMISSED';
}

export function countBySeverity(issues: readonly Pick<Issue, 'severity'>[]): SeverityCounts {
  const counts: SeverityCounts = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  for (const { severity } of issues) counts[severity]++;
  return counts;
}

/** `2`, or `2 + 1 closed`. The first number is the issue count used everywhere else. */
export function countWithClosed(issues: readonly Pick<Issue, 'status'>[]): string {
  const openCount = issues.filter(isUnresolved).length;
  const closedCount = issues.length - openCount;
  return closedCount > 0 ? `${openCount} + ${closedCount} closed` : String(openCount);
}

export function sortBySeverity(issues: readonly Issue[]): Issue[] {
  const rank = (issue: Issue) => severities.indexOf(issue.severity) + (isUnresolved(issue) ? 0 : severities.length);
  return issues.toSorted((a, b) => rank(a) - rank(b) || a.referenceNumber - b.referenceNumber);
}

/** The CSS class of a severity. It never contains text from the API. */
export function classOf(severity: Severity): string {
  return `s-${severityRows[severity].word}`;
}

export function severityIcon(severity: Severity): Markup {
  return html`<svg class="icon ${classOf(severity)}" viewBox="0 0 16 16" aria-hidden="true">${severityRows[severity].shape}</svg>`;
}

export function labelOfStatus(status: Issue['status']): string {
  return statusLabels[status];
}
