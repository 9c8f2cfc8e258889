import { formatLocations } from '@assay/report/format/location.ts';
import { formatProfile } from '@assay/report/profiles.ts';
import { judgeAsset } from '@assay/report/verdict/judgement.ts';
import type { Issue } from '@assay/sdk';
import type { CheckedFile, RunGate } from '../output/checked.ts';
import { stripControls } from '../output/output.ts';

type Cell = string | number | null | undefined;
type CsvRow = { one: CheckedFile; issue: Issue | null; gate: RunGate | null };

/** The columns in their order, which other programs rely on: a new one is added at the end. */
const columns: Record<string, (row: CsvRow) => Cell> = {
  file: ({ one }) => one.file,
  verdict: ({ one, gate }) => verdictOf(one, gate),
  status: ({ one }) => (one.refusal ? 'rejected' : (one.result?.status ?? 'no_result')),
  error: ({ one }) => (one.refusal ?? one.failure)?.message ?? one.result?.errorMessage,
  severity: ({ issue }) => issue?.severity,
  ruleCode: ({ issue }) => issue?.ruleCode,
  check: ({ one, issue }) => checkOf(one, issue)?.sidekickName,
  referenceNumber: ({ issue }) => issue?.referenceNumber,
  issueStatus: ({ issue }) => issue?.status,
  summary: ({ issue }) => issue?.summary,
  locations: ({ issue }) => issue && formatLocations(issue.locations),
  startMs: ({ issue }) => issue?.locations[0]?.startMs,
  endMs: ({ issue }) => issue?.locations[0]?.endMs,
  page: ({ issue }) => issue?.locations[0]?.page,
  measured: ({ issue }) => issue?.measured,
  limit: ({ issue }) => issue?.limit,
  unit: ({ issue }) => issue?.unit,
  severityReasoning: ({ issue }) => issue?.severityReasoning,
  standard: ({ issue }) => issue?.standard && `${issue.standard.name}, ${issue.standard.clause}`,
  statusReason: ({ issue }) => issue?.statusReason,
  statusNote: ({ issue }) => issue?.statusNote,
  statusChangedAt: ({ issue }) => issue?.statusChangedAt,
  profile: ({ one }) => [...new Set(one.result?.checks.map(formatProfile))].join('; '),
  contentSha256: ({ one }) => one.result?.contentSha256,
  submissionId: ({ one }) => one.result?.submissionId,
  assetId: ({ one }) => one.result?.assetId,
  issueId: ({ issue }) => issue?.id,
};
export const csvColumns = Object.keys(columns);

/** Excel takes a file without this mark for one in the encoding of the machine. */
const byteOrderMark = '\ufeff';

/** A row per issue, and one for a file without issues, in the format of RFC 4180. */
export function renderCsv(checked: CheckedFile[], gate: RunGate | null): string {
  const rows = checked.flatMap((one) =>
    (one.issues.length > 0 ? one.issues : [null]).map((issue) =>
      Object.values(columns).map((cellOf) => cellOf({ one, issue, gate })),
    ),
  );
  const lines = [csvColumns, ...rows].map((cells) => `${cells.map(formatCell).join(',')}\r\n`);
  return byteOrderMark + lines.join('');
}

function verdictOf({ result, issues }: CheckedFile, gate: RunGate | null): string | null | undefined {
  if (!result) return null;
  return gate ? judgeAsset({ result, issues }, gate).verdict : result.verdict;
}

function checkOf({ result }: CheckedFile, issue: Issue | null) {
  return result?.checks.find(({ sidekickId }) => sidekickId === issue?.sidekickId);
}

/** What a spreadsheet takes for the start of a formula; where the list separator is `;`, it may also start after one. */
const formulaStart = /(^|;)(\s*[=+\-@＝＋－＠])/gu;

/** A formula gets an apostrophe in front: a file name comes from outside. Numbers are ours and stay numbers. */
function formatCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = stripControls(cell ?? '').replaceAll(formulaStart, "$1'$2");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
