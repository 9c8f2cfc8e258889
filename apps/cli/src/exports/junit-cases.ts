import { formatNotExamined, whyNotApplicable } from '@assay/report/format/coverage.ts';
import { labelOfReason } from '@assay/report/format/decision.ts';
import { formatCount } from '@assay/report/format/format.ts';
import { formatLocations } from '@assay/report/format/location.ts';
import { wasChecked } from '@assay/report/verdict/file-counts.ts';
import { type Effect, effectOf, isIncomplete, judgeAsset, judgeCheck } from '@assay/report/verdict/judgement.ts';
import type { Check, Gate, Issue } from '@assay/sdk';
import type { CheckedFile, RunGate } from '../output/checked.ts';
import { isSimulated } from '../output/verdict.ts';
import { escapeXml, renderElement } from './xml.ts';

export type JunitCase = {
  name: string;
  classname: string;
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  xml: string;
};

/** With `--fail-on none`, issues are still shown as failures, from this severity on. */
const withoutGate = { failOn: 'MINOR' } as const;

/** The cases of a file: one per check, or one error that says why there is no result. */
export function casesOf(one: CheckedFile, gate: RunGate | null): JunitCase[] {
  const { file, result, refusal, failure } = one;
  const error = (name: string, type: string, message: string) =>
    caseForFile('error', `${file}: ${name}`, renderElement('error', { type, message }));
  if (refusal) {
    const stage = refusal.status === undefined ? 'rejected before the upload' : 'rejected by the service';
    return [error(stage, refusal.code ?? 'refused', [refusal.message, refusal.next].filter(Boolean).join(' '))];
  }
  if (!result) {
    return [error('no result', failure?.code ?? 'unknown', failure?.message ?? 'The service returned no result.')];
  }
  if (result.status === 'failed') {
    return [error('could not be analysed', result.errorType ?? 'failed', result.errorMessage ?? 'No reason given.')];
  }
  const isEnforced = gate?.isEnforced ?? true;
  const notChecked = (name: string, message: string) =>
    isEnforced
      ? error(name, 'not_checked', message)
      : caseForFile('skipped', `${file}: ${name}`, renderElement('skipped', { message }));
  if (isSimulated(one)) return [notChecked('not analysed', 'Not analysed: simulated run with a sandbox key.')];
  const applied: Gate = gate?.isEnforced ? gate : { ...withoutGate, allowIncomplete: gate?.allowIncomplete ?? [] };
  const cases = result.checks.map((check) => caseOf(check, one, applied));
  if (result.status !== 'complete') cases.push(notChecked('not finished', 'The analysis has not finished.'));
  else if (!wasChecked(result)) cases.push(notChecked('not checked', 'No check applies to this file.'));
  const verdict = gate?.isEnforced ? judgeAsset({ result, issues: one.issues }, gate).verdict : null;
  const isFaulty = verdict !== null && !verdict.startsWith('passed');
  // The verdict of a newer service may have a reason that no case shows.
  if (isFaulty && !cases.some(({ kind }) => kind === 'failure' || kind === 'error')) {
    cases.push(error('verdict', verdict, `The verdict of the service is ${verdict}.`));
  }
  return cases;
}

/** The case of one check, whether or not it ran: a pipeline can require that a check is there and passes. */
function caseOf(check: Check, { result, issues }: CheckedFile, gate: Gate): JunitCase {
  const own = issues.filter(({ sidekickId }) => sidekickId === check.sidekickId);
  const withEffect = (effect: Effect) => own.filter((issue) => effectOf(issue, result?.checks ?? [], gate) === effect);
  const [blocking, review, waived] = [withEffect('blocks'), withEffect('review'), withEffect('waived')];
  const { blockingCount, reviewCount } = judgeCheck(check, own, gate);
  const toCase = (kind: JunitCase['kind'], element: string, shown: Issue[]): JunitCase => {
    const others = own.filter((issue) => !shown.includes(issue) && !waived.includes(issue));
    const xml = element + renderOutput(check, others, waived);
    return { name: `${check.sidekickName} ${check.version}`, classname: 'assay', kind, xml };
  };
  if (blockingCount > 0) {
    return toCase('failure', renderFailure(blocking, blockingCount - blocking.length, gate.failOn), blocking);
  }
  if (reviewCount > 0) return toCase('error', renderReview(check, own, review, gate), review);
  if (check.outcome === 'not_applicable') {
    const why = whyNotApplicable(check);
    return toCase('skipped', renderElement('skipped', { message: `not applicable${why ? `: ${why}` : ''}` }), []);
  }
  return toCase('passed', '', []);
}

/** Issues beyond the limit of an asset are only counted, so a failure may have no issue to name. */
function renderFailure(blocking: Issue[], omittedCount: number, failOn: Gate['failOn']): string {
  const omitted = omittedCount > 0 ? `${formatCount(omittedCount, 'more issue')} omitted.` : '';
  const message = [formatSummaries(blocking), omitted].filter(Boolean).join(' ');
  const type = blocking[0]?.severity ?? failOn;
  return renderElement('failure', { type, message }, escapeXml(formatIssueList(blocking)));
}

/** What was not examined comes first: it can hide worse than what awaits review. */
function renderReview(check: Check, own: Issue[], review: Issue[], gate: Gate): string {
  const notVerified = own.filter(({ ruleCode }) => ruleCode === check.notVerifiedRuleCode);
  const isOpen = isIncomplete(check) && judgeCheck(check, notVerified, gate).reviewCount > 0;
  const notExamined = isOpen && formatNotExamined(check.coverage);
  const message = notExamined ? `Not examined: ${notExamined}` : formatSummaries(review);
  const type = isOpen ? 'incomplete' : 'needs_review';
  return renderElement('error', { type, message }, escapeXml(formatIssueList(review)));
}

/** What a case prints beside its failure: other issues, waivers, and what was not examined. */
function renderOutput({ coverage }: Check, others: Issue[], waived: Issue[]): string {
  const notExamined = formatNotExamined(coverage);
  const printed = [
    ...(others.length > 0 ? [formatIssueList(others)] : []),
    ...(waived.length > 0 ? [`Waivers:\n${waived.map(formatWaiver).join('\n')}`] : []),
    ...(notExamined ? [`Not examined: ${notExamined}`] : []),
  ];
  return printed.length > 0 ? renderElement('system-out', {}, escapeXml(printed.join('\n'))) : '';
}

const formatSummaries = (issues: Issue[]) => issues.map(({ ruleCode, summary }) => `${ruleCode}: ${summary}`).join(' ');

/** The issue, then who is to be asked about it: status, reason, time and note. */
function formatWaiver(issue: Issue): string {
  const { statusReason, statusChangedAt, statusNote } = issue;
  const decision = [statusReason && labelOfReason(statusReason), statusChangedAt, statusNote].filter(Boolean);
  return [formatIssueList([issue]), ...decision].join('; ');
}

function formatIssueList(issues: Issue[]): string {
  const lines = issues.map(({ severity, ruleCode, summary, locations, status }) => {
    const where = locations.length > 0 ? ` at ${formatLocations(locations)}` : '';
    return `${severity} ${ruleCode}${where}: ${summary}${status === 'OPEN' ? '' : ` (${status})`}`;
  });
  return lines.join('\n');
}

function caseForFile(kind: JunitCase['kind'], name: string, xml: string): JunitCase {
  return { name, classname: 'assay', kind, xml };
}
