import { writeFile } from 'node:fs/promises';
import { formatReasons, type Reason, statusOfReason } from '@assay/report/format/decision.ts';
import { formatCount } from '@assay/report/format/format.ts';
import { type Severity, severities } from '@assay/report/severity.ts';
import type { Issue, IssueDetail } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { renderCsv } from '../exports/csv.ts';
import { Failure } from '../failure.ts';
import { type CheckedFile, toJson } from '../output/checked.ts';
import { formatIssueDetail, formatRecordedDecision } from '../output/issue-detail.ts';
import { formatCheckedFile } from '../output/issue-table.ts';
import type { Output } from '../output/output.ts';
import { readAsset } from '../read-asset.ts';
import { type Context, openSession, type Session } from '../session.ts';
import { requireWritableTargets } from '../write-reports.ts';
import { choiceOption, listOption } from './option-values.ts';

type IssueFilter = { severity?: Severity[]; status?: Issue['status'][]; rule?: string[]; sidekick?: string[] };
type IssueFlags = IssueFilter & { csv?: string };

const issueStatuses: Issue['status'][] = ['OPEN', 'ACKNOWLEDGED', 'AWAITING_HUMAN_INPUT', 'RESOLVED', 'DISMISSED'];

export function addIssues(program: Command, context: Context): void {
  const group = program
    .command('issues <submissionId> [assetId]')
    .summary('show the issues of a submission or of one asset')
    .description('Shows the issues of all assets of a submission, or of one asset.')
    .addOption(listOption('--severity <severity>', 'only issues with this severity', severities))
    .addOption(listOption('--status <status>', 'only issues with this status', issueStatuses))
    .addOption(listOption('--rule <code>', 'only issues from this rule'))
    .addOption(listOption('--sidekick <name>', 'only issues from this check, by name or ID'))
    .option('--csv <file>', 'also write them as CSV, a row per issue')
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay issues <submissionId> --severity CRITICAL,MAJOR --json\n  $ assay issues <submissionId> --csv issues.csv',
    )
    .action(
      async (submissionId: string, assetId: string | undefined, { csv, ...filter }: IssueFlags, self: Command) => {
        const session = openSession(self, context);
        await requireWritableTargets({ csv }, session.environment);
        const query = await queryOf(session, filter);
        const { assets } = await session.assay.submissions.get(submissionId, { signal: session.signal });
        const wanted = assetId ? [assetId] : assets.map((asset) => asset.assetId);
        const checked: CheckedFile[] = [];
        for (const one of wanted) {
          const { result, issues } = await readAsset(session, submissionId, one, query);
          checked.push({ file: result.filename, result, issues, refusal: null });
        }
        session.print({ assets: checked.map((one) => toJson(one)) }, () =>
          formatMatching(checked, Object.keys(filter).length > 0, session.out),
        );
        if (csv) {
          await writeFile(csv, renderCsv(checked, null));
          session.err.line(`Wrote ${csv}`);
        }
        if (checked.some(({ result }) => result?.status === 'failed')) process.exitCode = exitCodeOf('failed');
      },
    );
  addShow(group, context);
  addDecide(group, context);
}

/** With a filter, a file of which no issue matches is left out: it may well have others. */
function formatMatching(checked: CheckedFile[], isFiltered: boolean, output: Output): string {
  const shown = checked.filter(
    ({ issues, result }) => !isFiltered || issues.length > 0 || result?.status !== 'complete',
  );
  const hidden = checked.length - shown.length;
  const parts = shown.map((one) => formatCheckedFile(one, output));
  if (hidden > 0)
    parts.push(`No issues match the filter in ${formatCount(hidden, shown.length > 0 ? 'other file' : 'file')}.`);
  return parts.join('\n\n');
}

function addShow(group: Command, context: Context): void {
  group
    .command('show <submissionId> <assetId> <issue>')
    .summary('show one issue and its decisions')
    .description('Shows one issue, by number or id, with all decisions.')
    .addHelpText('after', '\nExample:\n  $ assay issues show <submissionId> <assetId> 3')
    .action(async (submissionId: string, assetId: string, issue: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const detail = await readIssue(session, submissionId, assetId, issue);
      session.print(detail, () => formatIssueDetail(detail, session.out));
    });
}

// The option is not called `--status`, because that filters the list of `issues`.
type DecideFlags = { to?: Issue['status']; reason?: Reason; note?: string; carryOver: boolean };

function addDecide(group: Command, context: Context): void {
  group
    .command('decide <submissionId> <assetId> <issue>')
    .summary('set the status of an issue')
    .description('Sets the status of an issue, by number or ID. The service records which API key made the decision.')
    .addOption(choiceOption('--to <status>', 'new status (default: the status implied by --reason)', issueStatuses))
    .addOption(choiceOption('--reason <reason>', 'reason for the decision', Object.keys(statusOfReason)))
    .option('--note <text>', 'note for reviewers')
    .option('--no-carry-over', 'apply to this version only, not to later versions')
    .addHelpText(
      'after',
      `\nReasons:\n${formatReasons()}\n\nExample:\n  $ assay issues decide <submissionId> <assetId> 3 --reason creative_intent --note "Title sequence."`,
    )
    .action(async (submissionId: string, assetId: string, issue: string, flags: DecideFlags, self: Command) => {
      const session = openSession(self, context);
      const status = flags.to ?? (flags.reason && statusOfReason[flags.reason]);
      if (!status) {
        throw new Failure('usage', 'No decision given.', { next: 'Pass --to or --reason.' });
      }
      const { id } = await readIssue(session, submissionId, assetId, issue);
      const { reason, note, carryOver } = flags;
      const body = { status, reason, note, ...(carryOver ? {} : { carriesOver: false }) };
      const { signal } = session;
      const decided = await session.assay.issues.decide(submissionId, assetId, id, body, { signal });
      session.print(decided, () => formatRecordedDecision(decided, session.out));
    });
}

/** By id, or by the number shown in lists and reports. */
async function readIssue(
  { assay, signal }: Session,
  submissionId: string,
  assetId: string,
  issue: string,
): Promise<IssueDetail> {
  const number = /^#?(\d{1,9})$/.exec(issue)?.[1];
  if (!number) return await assay.issues.get(submissionId, assetId, issue, { signal });
  for await (const { id, referenceNumber } of assay.issues.list(submissionId, assetId, {}, { signal })) {
    if (referenceNumber === Number(number)) return await assay.issues.get(submissionId, assetId, id, { signal });
  }
  throw new Failure('refused', `Issue #${number} not found on this asset.`, {
    next: `List the issues: assay issues ${submissionId} ${assetId}`,
  });
}

async function queryOf({ assay, signal }: Session, { severity, status, rule, sidekick }: IssueFilter) {
  const sidekickId = sidekick && (await assay.sidekicks.resolve(sidekick, { signal }));
  return { severity, status, sidekickId, ruleCode: rule?.map((code) => code.toUpperCase()) };
}
