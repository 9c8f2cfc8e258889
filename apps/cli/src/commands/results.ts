import { formatCount } from '@assay/report/format/format.ts';
import type { Changes, CompactIssue, Topics } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { severityStyles } from '../output/issue-table.ts';
import { type Output, stripControls } from '../output/output.ts';
import { formatSubmission, formatTime } from '../output/submission-table.ts';
import { formatTable } from '../output/table.ts';
import { wrap } from '../output/text-width.ts';
import { type Context, openSession, takeItems } from '../session.ts';
import { waitForSubmission } from './submissions.ts';

export function addTopics(program: Command, context: Context): void {
  program
    .command('topics <submissionId> <assetId>')
    .summary('show the issues of an asset grouped by topic')
    .description('Shows the issues of an asset, grouped by likely common cause.')
    .addHelpText('after', '\nExample:\n  $ assay topics <submissionId> <assetId>')
    .action(async (submissionId: string, assetId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const topics = await session.assay.assets.topics(submissionId, assetId, { signal: session.signal });
      session.print(topics, () => formatTopics(topics, session.out));
    });
}

function formatTopics({ topics, orphanIssues, metadata }: Topics, output: Output): string {
  const blocks = topics.map(({ title, summary, severity, issueCount, issues }) =>
    [
      `${output.paint(severity, ...severityStyles[severity])}  ${output.paint(stripControls(title), 'bold')}  ${formatCount(issueCount, 'issue')}`,
      ...wrap(stripControls(summary), output.width() - 2).map((line) => `  ${line}`),
      formatRows(issues, output),
    ].join('\n'),
  );
  if (orphanIssues.length > 0)
    blocks.push(`${output.paint('Other issues', 'bold')}\n${formatRows(orphanIssues, output)}`);
  return metadata.totalIssueCount === 0 ? 'No issues.' : blocks.join('\n\n');
}

function formatRows(issues: CompactIssue[], output: Output): string {
  const rows = issues.map(({ severity, ruleCode, summary }) => [
    { text: severity, styles: severityStyles[severity] },
    ruleCode,
    summary,
  ]);
  return formatTable(['', '', ''], rows, output, '  ');
}

export function addChanges(program: Command, context: Context): void {
  program
    .command('changes <submissionId> <assetId>')
    .summary('compare an asset with its previous version')
    .description('Shows the new, gone and kept issues of an asset, compared with its previous version.')
    .addHelpText('after', '\nExample:\n  $ assay changes <submissionId> <assetId>')
    .action(async (submissionId: string, assetId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const changes = await session.assay.assets.changes(submissionId, assetId, { signal: session.signal });
      session.print(changes, () => formatChanges(changes, session.out));
    });
}

function formatChanges({ versionNumber, previous, newIssues, goneIssues, keptIssues }: Changes, output: Output) {
  const compared = previous
    ? `Version ${versionNumber}, compared with version ${previous.versionNumber}:`
    : `Version ${versionNumber}; there is no earlier complete version to compare with.`;
  const groups = Object.entries({ New: newIssues, Gone: goneIssues, Kept: keptIssues })
    .filter(([, issues]) => issues.length > 0)
    .map(([title, issues]) => `${output.paint(title, 'bold')}\n${formatRows(issues, output)}`);
  return [compared, ...(groups.length > 0 ? groups : ['No issues.'])].join('\n\n');
}

export function addVersions(program: Command, context: Context): void {
  program
    .command('versions <submissionId>')
    .summary('list all versions of the assets of a submission')
    .description('Lists all versions of the assets of a submission.')
    .addHelpText('after', '\nExample:\n  $ assay versions <submissionId>')
    .action(async (submissionId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const versions = await takeItems(
        session.assay.submissions.versions(submissionId, {}, { signal: session.signal }),
      );
      session.print({ versions }, () =>
        formatTable(
          ['VERSION', 'SUBMISSION', 'STATUS', 'ISSUES', 'CREATED', 'FILE'],
          versions.map((one) => [
            `v${one.versionNumber}`,
            one.submissionId,
            one.status,
            String(one.issueCount ?? '–'),
            formatTime(one.createdAt),
            one.filename,
          ]),
          session.out,
        ),
      );
    });
}

export function addRetry(program: Command, context: Context): void {
  program
    .command('retry <submissionId> <assetId>')
    .summary('retry a failed asset')
    .description('Retries a failed asset, if `isRetryable` is true.')
    .option('--wait', 'wait until the retry finishes')
    .addHelpText('after', '\nExample:\n  $ assay retry <submissionId> <assetId> --wait')
    .action(async (submissionId: string, assetId: string, { wait }: { wait?: boolean }, self: Command) => {
      const session = openSession(self, context);
      await session.assay.assets.retry(submissionId, assetId, { signal: session.signal });
      const submission = wait
        ? await waitForSubmission(session, submissionId)
        : await session.assay.submissions.get(submissionId, { signal: session.signal });
      session.print(submission, () => formatSubmission(submission, session.out));
      const asset = submission.assets.find((one) => one.assetId === assetId);
      if (wait && asset?.status === 'failed') process.exitCode = exitCodeOf('failed');
    });
}
