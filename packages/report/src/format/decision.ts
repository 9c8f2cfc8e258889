import type { Issue, IssueDecision, PreviousDecision } from '@assay/sdk';
import { formatList } from './format.ts';

export type Reason = NonNullable<IssueDecision['reason']>;

/** The label of each reason for a decision, and the status that it goes with. */
const reasons: Record<Reason, { status: Issue['status']; label: string }> = {
  fix_required: { status: 'ACKNOWLEDGED', label: 'Must be fixed' },
  creative_intent: { status: 'DISMISSED', label: 'Creative intent' },
  best_available: { status: 'DISMISSED', label: 'Best available material' },
  risk_accepted: { status: 'DISMISSED', label: 'Risk accepted' },
  false_alarm: { status: 'DISMISSED', label: 'False alarm' },
  fixed: { status: 'RESOLVED', label: 'Fixed' },
  reopened: { status: 'OPEN', label: 'Reopened' },
};

export const statusOfReason = Object.fromEntries(
  Object.entries(reasons).map(([reason, { status }]) => [reason, status]),
) as Record<Reason, Issue['status']>;

/** The label of a reason, or the reason itself if it comes from a newer service and is unknown here. */
export function labelOfReason(reason: Reason): string {
  return reasons[reason]?.label ?? reason;
}

/** For the CLI help: one reason per line, with its label and status. */
export function formatReasons(): string {
  return Object.entries(reasons)
    .map(([reason, { status, label }]) => `  ${reason.padEnd(16)} ${label} (${status})`)
    .join('\n');
}

const notCarriedReasons: Record<PreviousDecision['notCarriedOverBecause'][number], string> = {
  severity: 'the severity is higher',
  measured: 'the measured value is worse than before',
  extent: 'the issue covers more of the file',
  content: 'the file has changed',
  by_choice: 'the decision applied to that version only',
};

/** `the severity is higher and the file has changed` */
export function formatNotCarried({ notCarriedOverBecause }: PreviousDecision): string {
  return formatList(notCarriedOverBecause.map((reason) => notCarriedReasons[reason] ?? reason));
}
