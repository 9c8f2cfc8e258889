// Generated from the contract by `pnpm sdk-wire`.

import type { Check, Issue } from './wire.generated.ts';

type CheckOutcome = Check['outcome'];
type IssueStatus = Issue['status'];
export const severities = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const;
export type Severity = (typeof severities)[number];


/** From the worst to the best. */
export const verdicts = ['failed', 'not_checked', 'needs_review', 'passed_with_waivers', 'passed'] as const;
export type Verdict = (typeof verdicts)[number];

/** What stops an asset: set by the delivery profile, or by a caller with a threshold of their own. */
export type Gate = {
  failOn: Severity;
  /** Short names of the checks that may be incomplete. */
  allowIncomplete: readonly string[];
};

export type SeverityCounts = { critical: number; major: number; minor: number; info: number };

export type JudgedCheck = {
  shortName: string;
  outcome: CheckOutcome;
  /** The rule whose issues say what the check did not examine. */
  notVerifiedRuleCode: string | null;
  /** Issues that were left out because of the limit per asset; null in results from before they were counted. */
  omittedSeverityCounts: SeverityCounts | null;
};

export type JudgedIssue = {
  ruleCode: string;
  severity: Severity;
  status: IssueStatus;
  /** Whether a caller set the status. */
  isDecided: boolean;
};

/** A settled asset. */
export type JudgedAsset = {
  status: 'complete' | 'failed';
  checks: readonly JudgedCheck[];
  issues: readonly JudgedIssue[];
};

export type Judgement = {
  verdict: Verdict;
  /** Issues that make the verdict `failed`. */
  blockingCount: number;
  /** Issues, and incomplete checks without an issue, that a person has to look at. */
  reviewCount: number;
  /** Issues at or above the gate, and those about what was not examined, that a caller dismissed or resolved. */
  waivedCount: number;
};

/**
 * The verdict on one asset. An asset that is not settled, or that was only simulated, has none.
 *
 * An issue about what was not examined awaits review only as long as its check may not be incomplete. Once a caller has
 * opened or acknowledged it, it counts like any other issue.
 */
export function judge({ status, checks, issues }: JudgedAsset, { failOn, allowIncomplete }: Gate): Judgement {
  const incomplete = checks.filter(({ outcome }) => outcome === 'incomplete');
  const notAllowed = incomplete.filter(({ shortName }) => !allowIncomplete.includes(shortName));
  const isAbout = (some: readonly JudgedCheck[], { ruleCode }: JudgedIssue) =>
    some.some(({ notVerifiedRuleCode }) => notVerifiedRuleCode === ruleCode);
  const isAtGate = ({ severity }: JudgedIssue) => isAtLeast(severity, failOn);

  const isBlocking = (issue: JudgedIssue) => isAtGate(issue) && isFault(issue);
  const isReview = (issue: JudgedIssue) =>
    isAbout(incomplete, issue)
      ? isAbout(notAllowed, issue) && !isWaived(issue)
      : isAtGate(issue) && issue.status === 'AWAITING_HUMAN_INPUT';
  const silent = notAllowed.filter((check) => !issues.some((issue) => isAbout([check], issue)));

  const omitted = checks.reduce((sum, check) => sum + countFrom(check.omittedSeverityCounts, failOn), 0);
  const blockingCount = issues.filter(isBlocking).length + omitted;
  const reviewCount = issues.filter((issue) => isReview(issue) && !isBlocking(issue)).length + silent.length;
  const waivedCount = issues.filter((issue) => isWaived(issue) && (isAtGate(issue) || isAbout(checks, issue))).length;
  const isChecked = status === 'complete' && checks.some(({ outcome }) => outcome !== 'not_applicable');
  const verdict =
    blockingCount > 0
      ? 'failed'
      : !isChecked
        ? 'not_checked'
        : reviewCount > 0
          ? 'needs_review'
          : waivedCount > 0
            ? 'passed_with_waivers'
            : 'passed';
  return { verdict, blockingCount, reviewCount, waivedCount };
}

/** Whether nobody has said that the issue does not matter. The service itself cannot resolve an issue. */
const isFault = ({ status, isDecided }: JudgedIssue) =>
  status === 'OPEN' || status === 'ACKNOWLEDGED' || (status === 'RESOLVED' && !isDecided);

const isWaived = ({ status, isDecided }: JudgedIssue) => status === 'DISMISSED' || (status === 'RESOLVED' && isDecided);

export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(threshold);
}

/** How many of the counted issues are at or above the threshold. */
function countFrom(counts: SeverityCounts | null, threshold: Severity): number {
  const { critical = 0, major = 0, minor = 0, info = 0 } = counts ?? {};
  return [critical, major, minor, info].slice(0, severities.indexOf(threshold) + 1).reduce((sum, n) => sum + n, 0);
}

/** The verdict on several assets: the worst, or null if one of them has none. */
export function worstVerdict(all: readonly (Verdict | null)[]): Verdict | null {
  if (all.length === 0 || all.includes(null)) return null;
  return verdicts.find((verdict) => all.includes(verdict)) ?? null;
}

export function countSeverities(issues: readonly { severity: Severity }[]): SeverityCounts {
  const count = (wanted: Severity) => issues.filter(({ severity }) => severity === wanted).length;
  return { critical: count('CRITICAL'), major: count('MAJOR'), minor: count('MINOR'), info: count('INFO') };
}
