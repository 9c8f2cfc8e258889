import { type Gate, type JudgedCheck, type Judgement, judge, type Verdict } from '@assay/contract/verdict.ts';
import type { AssetResult, Check, Issue, Submission } from '@assay/sdk';
import { formatCount } from '../format/format.ts';
import type { Severity } from '../severity.ts';

/** The gate of the delivery profile, or one with another severity. */
export type AppliedGate = Gate & {
  /** The delivery profile that sets `failOn`; null if the caller did. */
  profile: string | null;
};

/** The verdict is null if the asset is not settled, or was only simulated. */
export type AssetVerdict = Omit<Judgement, 'verdict'> & { verdict: Verdict | null };

type Asset = { result: AssetResult; issues: readonly Issue[] };

const noVerdict: AssetVerdict = { verdict: null, blockingCount: 0, reviewCount: 0, waivedCount: 0 };

/** The rules for what was not examined, for results of a service that does not yet name them. */
const earlierNotVerifiedRuleCodes = [
  'CAPT-UNREADABLE',
  'LOUD-NOT-MEASURED',
  'META-NOT-VERIFIED',
  'PSE-NOT-VERIFIED',
  'SAFE-NOT-VERIFIED',
];

// A service of the previous version sends no `allowIncomplete`.
export function gateOf({ profile }: Pick<Submission, 'profile'>, failOn?: Severity): AppliedGate {
  const { name, allowIncomplete = [] } = profile;
  return { failOn: failOn ?? profile.failOn, allowIncomplete, profile: failOn ? null : name };
}

/**
 * The verdict of the service if the gate is that of the profile, because a newer service may know more. Otherwise, or if
 * the service does not send one yet, the same function judges here.
 */
export function judgeAsset({ result, issues }: Asset, gate: AppliedGate): AssetVerdict {
  const { status, issueCount, verdict, blockingCount, reviewCount, waivedCount } = result;
  const isSettled = status === 'failed' || (status === 'complete' && issueCount !== null);
  if (!isSettled) return noVerdict;
  if (gate.profile !== null && verdict !== undefined) {
    return {
      verdict,
      blockingCount: blockingCount ?? 0,
      reviewCount: reviewCount ?? 0,
      waivedCount: waivedCount ?? 0,
    };
  }
  return judge(
    { status, checks: result.checks.map((check) => toJudgedCheck(check, issues)), issues: issues.map(toJudgedIssue) },
    gate,
  );
}

/** How one check with its own issues affects the verdict. */
export function judgeCheck(check: Check, issues: readonly Issue[], gate: Gate): Judgement {
  const own = issues.filter(({ sidekickId }) => sidekickId === check.sidekickId);
  return judge({ status: 'complete', checks: [toJudgedCheck(check, own)], issues: own.map(toJudgedIssue) }, gate);
}

/** Why an issue counts for the verdict; null if it does not. */
export type Effect = 'blocks' | 'review' | 'waived' | null;

export function effectOf(issue: Issue, checks: readonly Check[], gate: Gate): Effect {
  const judged = checks
    .filter(({ sidekickId }) => sidekickId === issue.sidekickId)
    .map((check) => toJudgedCheck(check, [issue]))
    // Only what concerns this issue: not what the check left out, and not that it is incomplete for another reason.
    .map((check) => ({
      ...check,
      omittedSeverityCounts: null,
      outcome: check.notVerifiedRuleCode === issue.ruleCode ? check.outcome : 'ran',
    })) satisfies JudgedCheck[];
  const effect = judge({ status: 'complete', checks: judged, issues: [toJudgedIssue(issue)] }, gate);
  if (effect.blockingCount > 0) return 'blocks';
  if (effect.reviewCount > 0) return 'review';
  return effect.waivedCount > 0 ? 'waived' : null;
}

/** Whether the check says that something was not examined. An outcome that is unknown here counts too. */
export function isIncomplete({ outcome }: Pick<Check, 'outcome'>): boolean {
  return outcome !== 'ran' && outcome !== 'not_applicable';
}

/** `Passed with 2 waivers` */
export function labelOfVerdict({ verdict, waivedCount }: Pick<AssetVerdict, 'verdict' | 'waivedCount'>): string {
  if (verdict === 'passed_with_waivers') return `Passed with ${formatCount(waivedCount, 'waiver')}`;
  return {
    failed: 'Failed',
    not_checked: 'Not checked',
    needs_review: 'Needs review',
    passed: 'Passed',
    none: 'No result',
  }[verdict ?? 'none'];
}

/** `at MAJOR or above, the gate of ebu-r128` */
export function formatGate({ failOn, profile }: AppliedGate): string {
  return `at ${failOn} or above${profile === null ? '' : `, the gate of ${profile}`}`;
}

function toJudgedCheck(check: Check, issues: readonly Issue[]): JudgedCheck {
  const { sidekickId, shortName = sidekickId, notVerifiedRuleCode, omittedSeverityCounts = null } = check;
  const outcome = isIncomplete(check) ? 'incomplete' : check.outcome;
  if (notVerifiedRuleCode !== undefined) return { shortName, outcome, notVerifiedRuleCode, omittedSeverityCounts };
  const found = issues.find(
    (issue) => issue.sidekickId === sidekickId && earlierNotVerifiedRuleCodes.includes(issue.ruleCode),
  );
  return {
    shortName,
    outcome: found ? 'incomplete' : outcome,
    notVerifiedRuleCode: found?.ruleCode ?? null,
    omittedSeverityCounts,
  };
}

function toJudgedIssue({ ruleCode, severity, status, statusChangedAt }: Issue) {
  return { ruleCode, severity, status, isDecided: statusChangedAt !== null };
}
