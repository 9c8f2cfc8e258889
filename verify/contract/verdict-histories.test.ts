import { randomUUID } from 'node:crypto';
import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import { type Severity, severities } from '@assay/contract/schemas/severity.ts';
import type { Verdict } from '@assay/contract/verdict.ts';
import { sidekicks } from '@assay/sidekicks/sidekick/catalogue.ts';
import { createRandom, type Random } from '@assay/testing/run/random.ts';
import { testSeed } from '@assay/testing/run/test-seed.ts';
import { passedJudgement } from '@assay/testing/samples/passed-judgement.ts';
import { expect, test } from 'vitest';
import { renderJunit } from '../../apps/cli/src/exports/junit.ts';
import { judge as judgeRun } from '../../apps/cli/src/output/verdict.ts';
import { inheritDecision } from '../../apps/server/src/modules/results/decisions/inherit-decision.ts';
import { judgeResult } from '../../apps/server/src/modules/results/judge-asset.ts';
import { presentIssue } from '../../apps/server/src/modules/results/present.ts';
import { presentAsset } from '../../apps/server/src/modules/results/present-asset.ts';
import type { IssueRow } from '../../apps/server/src/modules/results/store.ts';
import { presentSubmission, presentVersion } from '../../apps/server/src/modules/submissions/present.ts';
import type { StoredSubmission } from '../../apps/server/src/modules/submissions/select-store.ts';
import type { AssetRow, VersionRow } from '../../apps/server/src/modules/submissions/store.ts';
import type { StoredCheck } from '../../apps/server/src/modules/submissions/stored-check.ts';
import { completedEvent } from '../../apps/server/src/modules/webhooks/events/asset-event.ts';
import { finishedEvent } from '../../apps/server/src/modules/webhooks/events/submission-event.ts';
import { gateOf } from '../../packages/report/src/verdict/judgement.ts';

// Generated histories of an asset: checks with any outcome, issues, decisions, new versions that inherit decisions, and
// profiles. After each step, the API, the event, the command line and JUnit must say what wire.md §11 says, which
// `expectedVerdict` repeats sentence by sentence, without the code under test.

const historyCount = Number(process.env.HISTORIES ?? 1000);
const stepsPerHistory = 6;
const seed = testSeed(20261119);

type Gate = { failOn: Severity; allowIncomplete: string[] };
type History = {
  status: 'complete' | 'failed';
  checks: StoredCheck[];
  issues: IssueRow[];
  gate: Gate;
  version: number;
};

const reference = { submissionId: randomUUID(), assetId: randomUUID() };
const now = new Date('2026-01-05T10:00:00Z');
const statuses: IssueStatus[] = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED', 'AWAITING_HUMAN_INPUT'];

function expectedVerdict({ status, checks, issues, gate }: History): Verdict {
  const rank = { CRITICAL: 4, MAJOR: 3, MINOR: 2, INFO: 1 };
  const atGate = (severity: Severity) => rank[severity] >= rank[gate.failOn];
  const codeOf = (check: StoredCheck) => sidekicks.find(({ id }) => id === check.sidekickId)?.notVerified;
  const nameOf = (check: StoredCheck) => sidekicks.find(({ id }) => id === check.sidekickId)?.shortName as string;
  const byCaller = (issue: IssueRow) => issue.statusChangedAt !== null;
  const settled = (issue: IssueRow) => issue.status === 'DISMISSED' || (issue.status === 'RESOLVED' && byCaller(issue));

  for (const issue of issues) {
    if (!atGate(issue.severity)) continue;
    if (issue.status === 'OPEN' || issue.status === 'ACKNOWLEDGED') return 'failed';
    if (issue.status === 'RESOLVED' && !byCaller(issue)) return 'failed';
  }
  for (const { omittedSeverityCounts: omitted } of checks) {
    if (!omitted) continue;
    const counts: [Severity, number][] = [
      ['CRITICAL', omitted.critical],
      ['MAJOR', omitted.major],
      ['MINOR', omitted.minor],
      ['INFO', omitted.info],
    ];
    if (counts.some(([severity, count]) => count > 0 && atGate(severity))) return 'failed';
  }
  if (status === 'failed') return 'not_checked';
  if (checks.every(({ outcome }) => outcome === 'not_applicable')) return 'not_checked';
  const incomplete = checks.filter(({ outcome }) => outcome === 'incomplete');
  for (const issue of issues) {
    const isAboutIncomplete = incomplete.some((check) => codeOf(check) === issue.ruleCode);
    if (!isAboutIncomplete && issue.status === 'AWAITING_HUMAN_INPUT' && atGate(issue.severity)) return 'needs_review';
  }
  for (const check of incomplete) {
    if (gate.allowIncomplete.includes(nameOf(check))) continue;
    const about = issues.filter(({ ruleCode }) => ruleCode === codeOf(check));
    if (about.length === 0 || !about.every(settled)) return 'needs_review';
  }
  const isWaiver = (issue: IssueRow) =>
    settled(issue) && (atGate(issue.severity) || checks.some((check) => codeOf(check) === issue.ruleCode));
  return issues.some(isWaiver) ? 'passed_with_waivers' : 'passed';
}

/** As many issues as make it fail, those that were left out included. */
function expectedBlockingCount({ checks, issues, gate }: History): number {
  const atGate = severities.slice(0, severities.indexOf(gate.failOn) + 1);
  const isFault = ({ status, statusChangedAt }: IssueRow) =>
    status === 'OPEN' || status === 'ACKNOWLEDGED' || (status === 'RESOLVED' && statusChangedAt === null);
  const omitted = checks.flatMap(({ omittedSeverityCounts: counts }) =>
    counts ? atGate.map((severity) => counts[severity.toLowerCase() as Lowercase<Severity>]) : [],
  );
  const faults = issues.filter((issue) => atGate.includes(issue.severity) && isFault(issue));
  return faults.length + omitted.reduce((sum, count) => sum + count, 0);
}

/** Another asset of the same submission, without a finding. */
const passed = {
  status: 'complete',
  error_type: null,
  attempt: 1,
  progress_percent: 100,
  judgement: passedJudgement,
};

function makeIssue(random: Random, sidekickId: string, ruleCode: string, isCertain: boolean): IssueRow {
  return {
    ...{ issueId: randomUUID(), referenceNumber: 1, ruleCode, subject: 's', sidekickId, summary: 'A summary.' },
    ...{ severity: random.pick(severities), severityReasoning: '', severityReasoningHeadline: '' },
    status: isCertain ? 'OPEN' : 'AWAITING_HUMAN_INPUT',
    ...{ statusNote: null, statusReason: null, statusChangedAt: null, previousDecision: null, confidence: 1 },
    ...{ measured: null, limitValue: null, unit: null, standard: null, precedents: [], locations: [], evidence: [] },
    ...{ createdAt: now, updatedAt: now },
  };
}

function analyse(random: Random, gate: Gate, version: number): History {
  const checks: StoredCheck[] = [];
  const issues: IssueRow[] = [];
  for (const { id, notVerified, rules } of random.shuffle(sidekicks).slice(0, random.between(0, 3))) {
    const outcome = random.pick(['ran', 'ran', 'not_applicable', 'incomplete'] as const);
    const omitted = random.fraction() < 0.05 ? { critical: 0, major: 0, minor: random.between(0, 2), info: 1 } : null;
    checks.push({
      ...{ sidekickId: id, version: '1.0.0', profile: 'general', profileRevision: 1, outcome, omittedCount: 0 },
      reason: outcome === 'not_applicable' ? 'nothing_in_file' : null,
      coverage: { examined: [], notExamined: [] },
      ...(omitted && { omittedSeverityCounts: omitted }),
    });
    if (outcome === 'not_applicable') continue;
    const codes = Object.keys(rules).filter((code) => code !== notVerified);
    for (let n = random.between(0, 2); n > 0; n--) {
      issues.push(makeIssue(random, id, random.pick(codes), random.fraction() < 0.7));
    }
    if (outcome !== 'incomplete') continue;
    // In results of earlier versions, a profile could switch the rule off.
    for (let n = random.between(0, 2); n > 0; n--) issues.push(makeIssue(random, id, notVerified, false));
  }
  const status = random.fraction() < 0.05 ? 'failed' : 'complete';
  return {
    status,
    checks: status === 'failed' ? [] : checks,
    issues: status === 'failed' ? [] : issues,
    gate,
    version,
  };
}

function step(random: Random, before: History): History {
  const what = random.pick(['decide', 'decide', 'decide', 'version', 'profile'] as const);
  if (what === 'profile') return { ...before, gate: makeGate(random) };
  if (what === 'version') return inherit(before, { ...before, version: before.version + 1 });
  if (before.issues.length === 0) return before;
  const chosen = random.pick(before.issues);
  // The service itself resolves nothing today; the verdict must not rely on that.
  const statusChangedAt = random.fraction() < 0.05 ? null : now;
  const decided = { ...chosen, status: random.pick(statuses), statusChangedAt };
  return { ...before, issues: before.issues.map((issue) => (issue === chosen ? decided : issue)) };
}

/** The same findings in the next version, with the decisions that it inherits. */
function inherit(before: History, after: History): History {
  const issues = after.issues.map((issue): IssueRow => {
    const previous = { ...issue, source: { ...reference, issueId: issue.issueId, versionNumber: before.version } };
    const { decision } = inheritDecision(undefined, previous, issue, before.version % 2 === 0);
    const isAwaited = sidekicks.some(({ notVerified }) => notVerified === issue.ruleCode);
    return {
      ...issue,
      issueId: randomUUID(),
      status: decision?.toStatus ?? (isAwaited ? 'AWAITING_HUMAN_INPUT' : 'OPEN'),
      statusChangedAt: decision?.decidedAt ?? null,
    };
  });
  return { ...after, issues };
}

const makeGate = (random: Random): Gate => ({
  failOn: random.pick(severities),
  allowIncomplete: random
    .shuffle(sidekicks)
    .slice(0, random.between(0, 3))
    .map(({ shortName }) => shortName),
});

function representationsOf({ status, checks, issues, gate, version }: History) {
  const profile = { profileId: randomUUID(), name: 'ours', revision: 1, ...gate };
  const row = {
    ...{ submission_id: reference.submissionId, asset_id: reference.assetId, filename: 'a.mp4', mode: 'live', status },
    ...{ issue_count: status === 'failed' ? null : issues.length, checks, error_type: null, attempt: 1 },
    ...{ version_number: version, size_bytes: '1', content_sha256: null, created_at: now, completed_at: now },
    ...{ profile: profile.name, profile_id: profile.profileId, built_in_profile_id: null, profile_revision: 1 },
    ...{ fail_on: gate.failOn, allow_incomplete: gate.allowIncomplete },
  } as unknown as AssetRow;
  const result = presentAsset(row, issues, 'live', '');
  const shown = issues.map((issue) => presentIssue(issue, reference, ''));
  const checked = [{ file: 'a.mp4', result, issues: shown, refusal: null }];
  const ofProfile = { ...gateOf({ profile }), isEnforced: true };
  const ofFlag = { ...gateOf({ profile }, gate.failOn), isEnforced: true };
  const [run, flagged] = [judgeRun(checked, ofProfile, null), judgeRun(checked, ofFlag, null)];
  const junit = renderJunit(checked, { gate: ofFlag, baseUrl: '', serviceVersion: null });
  const subject = { ...reference, workspaceId: '' as never, versionGroupId: '', versionNumber: version };
  const judgement = judgeResult(checks, issues, profile);
  const completion = { issueCount: issues.length, profile, judgement };
  const ofEvent = { retryCount: 0, livemode: true, clientReference: undefined };
  const event = completedEvent({ ...subject, ...ofEvent }, completion, now);
  // What is stored with the asset, which the database returns as JSON; the other asset of the submission has passed.
  const asset = { ...row, judgement: status === 'complete' ? JSON.parse(JSON.stringify(judgement)) : null };
  const submission = presentSubmission({ ...row, assets: [asset, passed] } as unknown as StoredSubmission, 'live');
  const finished = finishedEvent({ ...subject, ...ofEvent }, 'complete', submission, profile, now);
  return {
    api: result.verdict,
    'command line': run.verdict,
    'command line with --fail-on': flagged.verdict,
    'exit code': run.exitCode,
    'a JUnit case failed': /<(failure|error) /.test(junit),
    submission: submission.verdict,
    'asset of a submission': submission.assets[0]?.verdict,
    version: presentVersion(asset as unknown as VersionRow).verdict,
    'event of the submission': JSON.parse(finished.body).data.verdict,
    'counts of the submission': submission.blockingCount,
    ...(status === 'complete' && { event: JSON.parse(event.body).data.verdict }),
  };
}

const exitCodes: Record<Verdict, number> = {
  failed: 3,
  not_checked: 4,
  needs_review: 7,
  passed_with_waivers: 0,
  passed: 0,
};

test(`after each step of ${historyCount} generated histories, every representation has the verdict of the specification`, () => {
  const seen = new Map<Verdict, number>();
  for (let n = 0; n < historyCount; n++) {
    const random = createRandom(seed + n);
    let history = analyse(random, makeGate(random), 1);
    for (let i = 0; i <= stepsPerHistory; i++) {
      const verdict = expectedVerdict(history);
      seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      expect(representationsOf(history), `history ${n}, step ${i}: ${JSON.stringify(history)}`).toEqual({
        api: verdict,
        'command line': verdict,
        'command line with --fail-on': verdict,
        'exit code': exitCodes[verdict],
        'a JUnit case failed': exitCodes[verdict] !== 0,
        submission: verdict,
        'asset of a submission': verdict,
        version: verdict,
        'event of the submission': verdict,
        'counts of the submission': expectedBlockingCount(history),
        ...(history.status === 'complete' && { event: verdict }),
      });
      history = step(random, history);
    }
  }
  // Each verdict is frequent enough to be significant.
  expect([...seen.values()].filter((count) => count >= historyCount / 20)).toHaveLength(5);
});
