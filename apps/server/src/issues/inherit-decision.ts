import { type IssueDecision, lastingStatuses, type PreviousDecision } from '@assay/contract/issue.ts';
import type { DecisionRow } from './decision-store.ts';
import type { IssueRow } from './store.ts';
import { type Gravity, worsenings } from './worsening.ts';

type Place = NonNullable<IssueDecision['carriedFrom']>;

/** The issue of the previous version, as its row says. */
type Before = Gravity &
  Pick<IssueRow, 'issueId' | 'status' | 'statusNote' | 'statusReason' | 'statusChangedAt'> & { place: Place };

export type Inherited = { decision?: DecisionRow; previousDecision?: PreviousDecision };

/**
 * What the newest decision on a finding means for the same finding in the next version: it holds there if nothing got
 * worse, and is named beside the open issue if it does not. `isAboutSameContent` is false where the finding is about
 * the bytes of the file, and these are others.
 */
export function inheritDecision(
  newest: DecisionRow | undefined,
  before: Before,
  now: Gravity,
  isAboutSameContent: boolean,
): Inherited {
  const decision = standingDecision(newest, before);
  if (!decision || !lastingStatuses.includes(decision.toStatus)) return {};
  const notCarriedOverBecause: PreviousDecision['notCarriedOverBecause'] = worsenings(before, now);
  if (!isAboutSameContent) notCarriedOverBecause.push('content');
  if (!decision.carriesOver) notCarriedOverBecause.push('by_choice');
  const { toStatus: status, reason, note, decidedAt } = decision;
  if (notCarriedOverBecause.length > 0) {
    const previousDecision = { status, reason, note, decidedAt: decidedAt.toISOString(), notCarriedOverBecause };
    return { previousDecision: { ...before.place, ...previousDecision } };
  }
  // Decided on an earlier version still: that one is named.
  return { decision: { ...decision, decisionNumber: 1, carriedFrom: decision.carriedFrom ?? before.place } };
}

/**
 * The newest decision, if it is the one that the issue shows. The version of the service before this one changed the
 * status without a record, and may still run while it is replaced: what the issue shows is what somebody decided.
 */
function standingDecision(newest: DecisionRow | undefined, before: Before): DecisionRow | undefined {
  const { issueId, status, statusNote: note, statusReason: reason, statusChangedAt: decidedAt } = before;
  if (!decidedAt) return undefined;
  if (newest?.toStatus === status && newest.decidedAt.getTime() === decidedAt.getTime()) return newest;
  return {
    issueId,
    decisionNumber: 1,
    actorKind: 'unknown',
    actorId: null,
    decidedAt,
    fromStatus: null,
    toStatus: status,
    reason,
    note,
    carriesOver: lastingStatuses.includes(status),
    carriedFrom: null,
  };
}
