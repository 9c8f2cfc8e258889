import { carriedOverStatuses, type IssueDecision, type PreviousDecision } from '@assay/contract/schemas/issue.ts';
import type { IssueRow } from '../store.ts';
import type { DecisionRow } from './decision-store.ts';
import { type ComparableIssue, worsenings } from './worsening.ts';

type DecisionSource = NonNullable<IssueDecision['carriedFrom']>;

/** The issue of the previous version. */
type PreviousIssue = ComparableIssue &
  Pick<IssueRow, 'issueId' | 'status' | 'statusNote' | 'statusReason' | 'statusChangedAt'> & { source: DecisionSource };

export type InheritedDecision = { decision?: DecisionRow; previousDecision?: PreviousDecision };

/**
 * What the newest decision on an issue means for the same issue in the next version: it is carried over if nothing got
 * worse, and otherwise shown beside the open issue. `isAboutSameContent` is false where the issue concerns the bytes of
 * the file and these have changed.
 */
export function inheritDecision(
  newest: DecisionRow | undefined,
  before: PreviousIssue,
  current: ComparableIssue,
  isAboutSameContent: boolean,
): InheritedDecision {
  const decision = effectiveDecision(newest, before);
  if (!decision || !carriedOverStatuses.includes(decision.toStatus)) return {};
  const notCarriedOverBecause: PreviousDecision['notCarriedOverBecause'] = worsenings(before, current);
  if (!isAboutSameContent) notCarriedOverBecause.push('content');
  if (!decision.carriesOver) notCarriedOverBecause.push('by_choice');
  const { toStatus: status, reason, note, decidedAt } = decision;
  if (notCarriedOverBecause.length > 0) {
    const previousDecision = { status, reason, note, decidedAt: decidedAt.toISOString(), notCarriedOverBecause };
    return { previousDecision: { ...before.source, ...previousDecision } };
  }
  // A decision that was itself carried over keeps its original source.
  return { decision: { ...decision, decisionNumber: 1, carriedFrom: decision.carriedFrom ?? before.source } };
}

/**
 * The newest decision, if it set the status of the issue. The previous release, which may still run during an upgrade,
 * changed the status without recording a decision: then the status of the issue counts as the decision.
 */
function effectiveDecision(newest: DecisionRow | undefined, before: PreviousIssue): DecisionRow | undefined {
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
    carriesOver: carriedOverStatuses.includes(status),
    carriedFrom: null,
  };
}
