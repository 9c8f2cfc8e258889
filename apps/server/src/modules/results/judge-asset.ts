import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import type { PinnedProfile } from '@assay/contract/schemas/profiles/resource.ts';
import type { AssetResult } from '@assay/contract/schemas/result.ts';
import { countSeverities, type JudgedCheck, judge, type SeverityCounts } from '@assay/contract/verdict.ts';
import { findSidekick } from '@assay/sidekicks/sidekick/catalogue.ts';
import type { AssetRow } from '#modules/submissions/store.ts';
import type { StoredCheck } from '#modules/submissions/stored-check.ts';
import type { IssueRow } from './store.ts';

type VerdictMembers = Pick<
  AssetResult,
  'verdict' | 'severityCounts' | 'statusCounts' | 'blockingCount' | 'reviewCount' | 'waivedCount'
>;

const noCounts = {
  severityCounts: null,
  statusCounts: null,
  blockingCount: null,
  reviewCount: null,
  waivedCount: null,
} as const;

/** The verdict on an asset in any state: null if it is not settled or was only simulated. */
export function presentVerdict(
  asset: Pick<AssetRow, 'mode' | 'status' | 'issue_count' | 'checks'>,
  issues: readonly IssueRow[],
  profile: PinnedProfile,
): VerdictMembers {
  if (asset.mode === 'sandbox') return { verdict: null, ...noCounts };
  if (asset.status === 'failed') return { verdict: 'not_checked', ...noCounts };
  if (asset.status !== 'complete' || asset.issue_count === null) return { verdict: null, ...noCounts };
  return judgeResult(asset.checks, issues, profile);
}

/** The verdict on a complete asset with these checks and issues. */
export function judgeResult(
  checks: readonly StoredCheck[],
  issues: readonly IssueRow[],
  profile: PinnedProfile,
): { [Name in keyof VerdictMembers]: NonNullable<VerdictMembers[Name]> } {
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

function countStatuses(issues: readonly IssueRow[]) {
  const count = (wanted: IssueStatus) => issues.filter(({ status }) => status === wanted).length;
  return {
    open: count('OPEN'),
    acknowledged: count('ACKNOWLEDGED'),
    awaitingHumanInput: count('AWAITING_HUMAN_INPUT'),
    resolved: count('RESOLVED'),
    dismissed: count('DISMISSED'),
  };
}

const addCounts = (a: SeverityCounts, b: SeverityCounts): SeverityCounts => ({
  critical: a.critical + b.critical,
  major: a.major + b.major,
  minor: a.minor + b.minor,
  info: a.info + b.info,
});
