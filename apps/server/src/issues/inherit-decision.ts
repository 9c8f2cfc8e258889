import { type IssueDecision, lastingStatuses, type PreviousDecision } from '@assay/contract/issue.ts';
import type { DecisionRow } from './decision-store.ts';
import { type Gravity, worsenings } from './worsening.ts';

type Place = NonNullable<IssueDecision['carriedFrom']>;

export type Inherited = { decision?: DecisionRow; previousDecision?: PreviousDecision };

/**
 * What the newest decision on a finding means for the same finding in the next version: it holds there if nothing got
 * worse, and is named beside the open issue if it does not. `isAboutSameContent` is false where the finding is about
 * the bytes of the file, and these are others.
 */
export function inheritDecision(
  decision: DecisionRow | undefined,
  before: Gravity & { place: Place },
  now: Gravity,
  isAboutSameContent: boolean,
): Inherited {
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
