import type { AssetResult, Check, Issue } from '@assay/sdk';
import { type Output, plain, type Style, widthOf, wrap } from './output.ts';
import { formatCount, formatList } from './report/format.ts';
import { isStanding, labelOfStatus, type Severity } from './report/severity.ts';
import { formatLocation } from './report/where.ts';
import type { Checked } from './results.ts';
import { formatTable } from './table.ts';
import { isRehearsed } from './verdict.ts';

/** With less than this for the text, a finding takes two lines instead of one. */
const summaryWidthMin = 44;
const severityWidth = 8;
const indent = '  ';
type Finding = [
  number: string,
  severity: { text: Severity; styles: Style[] },
  rule: string,
  where: string,
  summary: string,
];
export const severityStyles: Record<Severity, Style[]> = {
  CRITICAL: ['red', 'bold'],
  MAJOR: ['red'],
  MINOR: ['yellow'],
  INFO: ['blue'],
};

/** One file: what was found, and who looked, so that nothing found never reads as not looked. */
export function formatChecked(checked: Checked, output: Output): string {
  const { file, result, issues, refusal } = checked;
  if (refusal) {
    return [heading(file, 'refused', ['red'], output), body(refusal.message, output), next(refusal.next, output)].join(
      '',
    );
  }
  if (!result) return heading(file, 'never seen', ['red'], output);
  if (result.status === 'failed') {
    return [
      heading(file, 'failed', ['red'], output),
      body(`${result.errorMessage ?? 'No reason was given.'} (${result.errorType})`, output),
      result.isRetryable ? next(`Try again: assay retry ${result.submissionId} ${result.assetId} --wait`, output) : '',
    ].join('');
  }
  if (isRehearsed(checked)) {
    return heading(file, 'not analysed: with a sandbox key nobody looks at it', ['yellow'], output);
  }
  if (result.status !== 'complete') return heading(file, result.status, ['dim'], output);
  const title = issues.length > 0 ? formatCount(issues.length, 'finding') : 'no findings';
  return [
    heading(file, title, [issues.length > 0 ? 'bold' : 'green'], output),
    issues.length > 0 ? `\n${formatIssues(issues, output)}` : '',
    `\n${formatLookers(result, output)}`,
  ].join('');
}

function formatIssues(issues: Issue[], output: Output): string {
  const rows = issues.map((issue): Finding => {
    const styles: Style[] = isStanding(issue) ? severityStyles[issue.severity] : ['dim'];
    const number = `#${issue.referenceNumber}`;
    return [number, { text: issue.severity, styles }, plain(issue.ruleCode), whereOf(issue), summaryOf(issue)];
  });
  const widest = (i: 0 | 2 | 3) => Math.max(...rows.map((row) => widthOf(row[i])));
  const summaryWidth = output.width() - indent.length - severityWidth - widest(0) - widest(2) - widest(3) - 8;
  if (summaryWidth >= summaryWidthMin)
    return formatTable(['#', 'SEVERITY', 'RULE', 'WHERE', 'SUMMARY'], rows, output, indent);
  return rows.map((row) => formatStacked(row, output)).join('\n');
}

/** For narrow terminals: the summary on lines of its own. */
function formatStacked([number, severity, rule, where, summary]: Finding, output: Output): string {
  const margin = ' '.repeat(indent.length + severityWidth + 2);
  const head = `${indent}${output.paint(severity.text.padEnd(severityWidth), ...severity.styles)}  ${output.paint(rule, 'bold')}`;
  const text = wrap(summary, output.width() - margin.length).map((line) => margin + line);
  return [`${head}  ${output.paint(`${number}  ${where}`, 'dim')}`, ...text].join('\n');
}

function whereOf({ locations }: Issue): string {
  const [first, ...rest] = locations;
  if (!first) return 'whole file';
  const { startMs, page, text, box } = first;
  const place =
    startMs !== undefined || page !== undefined
      ? formatLocation(omit(first))
      : text || box
        ? 'one place'
        : 'whole file';
  return plain(rest.length > 0 ? `${place} +${rest.length}` : place);
}

/** Quotes and boxes belong into the report: a line of a table has no room for them. */
function omit({ kind, startMs, endMs, page }: Issue['locations'][number]) {
  return { kind, startMs, endMs, page };
}

function summaryOf(issue: Issue): string {
  const status = issue.status === 'OPEN' ? '' : ` (${labelOfStatus(issue.status).toLowerCase()})`;
  return plain(issue.summary) + status;
}

/** `Looked at by Loudness and Captions (profile ebu-r128). Not applicable: File safety.` */
function formatLookers({ checks }: Pick<AssetResult, 'checks'>, output: Output): string {
  const namesOf = (list: Check[]) => formatList(list.map(({ sidekickName }) => sidekickName));
  const ran = checks.filter(({ outcome }) => outcome === 'ran');
  const others = checks.filter(({ outcome }) => outcome !== 'ran');
  const omitted = checks.reduce((sum, { omittedCount }) => sum + omittedCount, 0);
  const profiles = [...new Set(ran.map(({ profile }) => profile))];
  const text = [
    ran.length > 0
      ? `Looked at by ${namesOf(ran)} (profile ${profiles.join(', ')}).`
      : 'Nobody looked at it: no sidekick applies.',
    others.length > 0 ? `Not applicable: ${namesOf(others)}.` : '',
    omitted > 0 ? `${formatCount(omitted, 'further finding')} left out.` : '',
  ];
  const lines = wrap(plain(text.filter(Boolean).join(' ')), output.width() - indent.length);
  return lines.map((line) => indent + output.paint(line, 'dim')).join('\n');
}

function heading(file: string, title: string, styles: Style[], output: Output): string {
  return `${output.paint(plain(file), 'bold')}  ${output.paint(title, ...styles)}`;
}

function body(text: string, output: Output): string {
  return wrap(plain(text), output.width() - indent.length)
    .map((line) => `\n${indent}${line}`)
    .join('');
}

function next(text: string | undefined, output: Output): string {
  return text ? `\n${indent}${output.paint(text, 'dim')}` : '';
}
