import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { AssetVerdict } from '@assay/contract/schemas/verdict-members.ts';
import { countSeverities, type JudgedCheck, judge } from '@assay/contract/verdict.ts';
import { findSidekick } from '@assay/sidekicks/sidekick/catalogue.ts';
import { addCounts, assetVerdict, type Judgement } from '#modules/submissions/judgement.ts';
import type { AssetRow } from '#modules/submissions/store.ts';
import type { StoredCheck } from '#modules/submissions/stored-check.ts';
import type { IssueRow } from './store.ts';

/** What the verdict depends on. */
export type JudgedRow = Pick<IssueRow, 'ruleCode' | 'severity' | 'status' | 'statusChangedAt'>;

/** The verdict on an asset in any state: null if it is not settled or was only simulated. */
export function presentVerdict(
  { mode, status, issue_count, checks }: Pick<AssetRow, 'mode' | 'status' | 'issue_count' | 'checks'>,
  issues: readonly JudgedRow[],
  profile: PinnedProfile,
): AssetVerdict {
  const judgement = issue_count === null ? null : judgeResult(checks, issues, profile);
  return assetVerdict({ mode, status, judgement });
}

/** The verdict on a complete asset with these checks and issues. */
export function judgeResult(
  checks: readonly StoredCheck[],
  issues: readonly JudgedRow[],
  profile: PinnedProfile,
): Judgement {
  const judged = issues.map(({ statusChangedAt, ...issue }) => ({ ...issue, isDecided: statusChangedAt !== null }));
  const judgement = judge({ status: 'complete', checks: checks.map(toJudgedCheck), issues: judged }, profile);
  const omitted = checks.flatMap(({ omittedSeverityCounts }) => omittedSeverityCounts ?? []);
  const severityCounts = [countSeverities(issues), ...omitted].reduce(addCounts);
  return { ...judgement, severityCounts, statusCounts: countStatuses(issues) };
}

// The names of a sidekick and its rule are looked up when a check is read, as only its id is stored.
export function toJudgedCheck({ sidekickId, outcome, omittedSeverityCounts }: StoredCheck): JudgedCheck {
  const sidekick = findSidekick(sidekickId);
  return {
    shortName: sidekick?.shortName ?? sidekickId,
    outcome,
    notVerifiedRuleCode: sidekick?.notVerified ?? null,
    omittedSeverityCounts: omittedSeverityCounts ?? null,
  };
}

function countStatuses(issues: readonly JudgedRow[]) {
  const count = (wanted: IssueStatus) => issues.filter(({ status }) => status === wanted).length;
  return {
    open: count('OPEN'),
    acknowledged: count('ACKNOWLEDGED'),
    awaitingHumanInput: count('AWAITING_HUMAN_INPUT'),
    resolved: count('RESOLVED'),
    dismissed: count('DISMISSED'),
  };
}
