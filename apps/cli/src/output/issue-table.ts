import { formatNotApplicable, formatNotExamined } from '@assay/report/format/coverage.ts';
import { formatCount } from '@assay/report/format/format.ts';
import { formatLocation } from '@assay/report/format/location.ts';
import { formatMeasured } from '@assay/report/format/measured.ts';
import { formatProfile } from '@assay/report/profiles.ts';
import { isUnresolved, labelOfStatus, type Severity } from '@assay/report/severity.ts';
import { isIncomplete } from '@assay/report/verdict/judgement.ts';
import type { AssetResult, Check, Issue } from '@assay/sdk';
import stringWidth from 'string-width';
import type { CheckedFile } from './checked.ts';
import { type Output, type Style, stripControls } from './output.ts';
import { formatTable } from './table.ts';
import { wrap } from './text-width.ts';
import { isSimulated } from './verdict.ts';

/** If fewer columns than this remain for the summary, it is placed on lines of its own. */
const summaryWidthMin = 44;
const severityWidth = 8;
const indent = '  ';
type Row = [
  number: string,
  severity: { text: Severity; styles: Style[] },
  rule: string,
  location: string,
  summary: string,
];
export const severityStyles: Record<Severity, Style[]> = {
  CRITICAL: ['red', 'bold'],
  MAJOR: ['red'],
  MINOR: ['yellow'],
  INFO: ['blue'],
};

/** Formats a file’s issues and the checks that ran: a file without issues must not be mistaken for an unchecked one. */
export function formatCheckedFile(checked: CheckedFile, output: Output, isOnly = true): string {
  const { file, result, issues, refusal, failure } = checked;
  if (refusal) {
    return [
      formatHeading(file, 'rejected', ['red'], output),
      formatBody(refusal.message, output),
      formatNextStep(refusal.next, output),
    ].join('');
  }
  if (!result) return formatHeading(file, 'no result', ['red'], output) + formatBody(failure?.message ?? '', output);
  if (result.status === 'failed') {
    return [
      formatHeading(file, 'failed', ['red'], output),
      formatBody(`${result.errorMessage ?? 'No reason given.'} (${result.errorType})`, output),
      result.isRetryable
        ? formatNextStep(`Retry: assay retry ${result.submissionId} ${result.assetId} --wait`, output)
        : '',
    ].join('');
  }
  if (isSimulated(checked)) return formatHeading(file, 'not analysed (sandbox key)', ['yellow'], output);
  if (result.status !== 'complete') return formatHeading(file, result.status, ['dim'], output);
  const title = issues.length > 0 ? formatCount(issues.length, 'issue') : 'no issues';
  return [
    formatHeading(file, title, [issues.length > 0 ? 'bold' : 'green'], output),
    issues.length > 0 ? `\n${formatIssues(issues, output)}` : '',
    withBreak(formatResultsOfChecks(result, output)),
    isOnly ? `\n${formatChecks(result, output)}` : '',
  ].join('');
}

function formatIssues(issues: Issue[], output: Output): string {
  const rows = issues.map((issue): Row => {
    const styles: Style[] = isUnresolved(issue) ? severityStyles[issue.severity] : ['dim'];
    const number = `#${issue.referenceNumber}`;
    return [
      number,
      { text: issue.severity, styles },
      stripControls(issue.ruleCode),
      locationOf(issue),
      summaryOf(issue),
    ];
  });
  const widest = (i: 0 | 2 | 3) => Math.max(...rows.map((row) => stringWidth(row[i])));
  const summaryWidth = output.width() - indent.length - severityWidth - widest(0) - widest(2) - widest(3) - 8;
  if (summaryWidth >= summaryWidthMin)
    return formatTable(['#', 'SEVERITY', 'RULE', 'LOCATION', 'SUMMARY'], rows, output, indent);
  return rows.map((row) => formatStackedRow(row, output)).join('\n');
}

/** An issue on a narrow terminal, with the summary on lines of its own. */
function formatStackedRow([number, severity, rule, location, summary]: Row, output: Output): string {
  const margin = ' '.repeat(indent.length + severityWidth + 2);
  const head = `${indent}${output.paint(severity.text.padEnd(severityWidth), ...severity.styles)}  ${output.paint(rule, 'bold')}`;
  const text = wrap(summary, output.width() - margin.length).map((line) => margin + line);
  return [`${head}  ${output.paint(`${number}  ${location}`, 'dim')}`, ...text].join('\n');
}

/** The first location, and how many more there are. A time has the form that the summary uses, so that a row has one clock. */
export function locationOf({ locations, summary }: Pick<Issue, 'locations' | 'summary'>): string {
  const [first, ...rest] = locations;
  if (!first) return 'whole file';
  const { startMs, page, text, box } = first;
  const place =
    startMs !== undefined || page !== undefined
      ? (findTimecode(summary, startMs) ?? formatLocation(timeAndPageOf(first)))
      : text || box
        ? 'one location'
        : 'whole file';
  return stripControls(rest.length > 0 ? `${place} +${rest.length}` : place);
}

/** The timecode in a summary that means this moment. */
function findTimecode(summary: string, startMs = Number.NaN): string | undefined {
  return [...summary.matchAll(/\b(\d\d):(\d\d):(\d\d)[:;]\d\d\b/g)].find(
    ([, hours, minutes, seconds]) =>
      Math.abs((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds) - startMs / 1000) <= 1,
  )?.[0];
}

/** The location without quoted text and region, for which a table row has no space. */
function timeAndPageOf({ kind, startMs, endMs, page }: Issue['locations'][number]) {
  return { kind, startMs, endMs, page };
}

function summaryOf(issue: Issue): string {
  const status = issue.status === 'OPEN' ? '' : ` (${labelOfStatus(issue.status).toLowerCase()})`;
  return stripControls(issue.summary) + status;
}

const withBreak = (text: string) => (text ? `\n${text}` : '');

/** A line for each check that examined only a part, with what it left out, and for each with measured values. */
function formatResultsOfChecks({ checks }: Pick<AssetResult, 'checks'>, output: Output): string {
  const measured = checks.flatMap((check) => {
    const values = formatMeasured(check);
    return values ? formatLines(`${check.sidekickName}: ${values}.`, ['dim'], output) : [];
  });
  const incomplete = checks.filter(isIncomplete);
  return [...incomplete.map((check) => formatLines(formatIncomplete(check), ['yellow'], output)), ...measured].join(
    '\n',
  );
}

/** The checks of several files, once for all files with the same ones. */
export function formatChecksOfFiles(checked: readonly CheckedFile[], output: Output): string {
  const complete = checked.flatMap((one) =>
    one.result?.status === 'complete' && !isSimulated(one) ? [formatChecks(one.result, output)] : [],
  );
  return [...Map.groupBy(complete, (text) => text)]
    .map(([text, files]) => `${formatLines(`${formatCount(files.length, 'file')}:`, ['dim'], output)}\n${text}`)
    .join('\n');
}

/**
 * `Checks run: Captions, Loudness (profile: general, revision 1). Not applicable: File safety.`, then a line for each check
 * to which the profile gives nothing to check.
 */
function formatChecks({ checks }: Pick<AssetResult, 'checks'>, output: Output): string {
  const namesOf = (list: Check[]) => list.map(({ sidekickName }) => sidekickName).join(', ');
  const ran = checks.filter(({ outcome }) => outcome !== 'not_applicable');
  const unset = checks.filter((check) => check.outcome === 'not_applicable' && check.reason === 'nothing_in_profile');
  const others = checks.filter((check) => !ran.includes(check) && !unset.includes(check));
  const omitted = checks.reduce((sum, { omittedCount }) => sum + omittedCount, 0);
  const profiles = [...new Set(ran.map(formatProfile))];
  const summary = [
    ran.length > 0
      ? `Checks run: ${namesOf(ran)} (profile: ${profiles.join('; ')}).`
      : 'Not checked: no check applies to this file.',
    others.length > 0 ? `Not applicable: ${namesOf(others)}.` : '',
    omitted > 0 ? `${formatCount(omitted, 'further issue')} omitted.` : '',
  ];
  return [
    formatLines(summary.filter(Boolean).join(' '), ['dim'], output),
    ...unset.map((check) => formatLines(`${check.sidekickName}: ${formatNotApplicable(check)}.`, ['dim'], output)),
  ].join('\n');
}

/** `Incomplete: Photosensitivity. Not examined: frames that cannot be decoded, 37.0 %: damaged or incomplete.` */
function formatIncomplete({ sidekickName, coverage }: Check): string {
  const notExamined = formatNotExamined(coverage);
  return `Incomplete: ${sidekickName}.${notExamined ? ` Not examined: ${notExamined}.` : ''}`;
}

function formatLines(text: string, styles: Style[], output: Output): string {
  return wrap(stripControls(text), output.width() - indent.length)
    .map((line) => indent + output.paint(line, ...styles))
    .join('\n');
}

function formatHeading(file: string, title: string, styles: Style[], output: Output): string {
  return `${output.paint(stripControls(file), 'bold')}  ${output.paint(title, ...styles)}`;
}

function formatBody(text: string, output: Output): string {
  if (!text) return '';
  return wrap(stripControls(text), output.width() - indent.length)
    .map((line) => `\n${indent}${line}`)
    .join('');
}

function formatNextStep(text: string | undefined, output: Output): string {
  return text ? `\n${indent}${output.paint(text, 'dim')}` : '';
}
