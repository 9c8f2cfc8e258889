import type { Issue, IssueDecision, PreviousDecision } from '@assay/sdk';

export type Reason = NonNullable<IssueDecision['reason']>;

/** What a reviewer means by a reason, and the status that goes with it. */
const reasons: Record<Reason, { status: Issue['status']; label: string }> = {
  fix_required: { status: 'ACKNOWLEDGED', label: 'Has to be fixed' },
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

/** A newer service may know more reasons. */
export function labelOfReason(reason: Reason): string {
  return reasons[reason]?.label ?? reason;
}

/** For the help: one to a line, with its status. */
export function formatReasons(): string {
  return Object.entries(reasons)
    .map(([reason, { status, label }]) => `  ${reason.padEnd(16)} ${label} (${status})`)
    .join('\n');
}

const whyNotCarried: Record<PreviousDecision['notCarriedOverBecause'][number], string> = {
  severity: 'it is more severe now',
  measured: 'the measured value is worse now',
  extent: 'it covers more now',
  content: 'the file has changed',
  by_choice: 'it was made for that version only',
};

/** `it is more severe now, and it covers more now` */
export function formatNotCarried({ notCarriedOverBecause }: PreviousDecision): string {
  return notCarriedOverBecause.map((why) => whyNotCarried[why] ?? why).join(', and ');
}
