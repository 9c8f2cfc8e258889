import type { Topics } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { formatCount } from '../format/format.ts';
import { severityStyles } from '../output/issue-table.ts';
import { type Output, plain } from '../output/output.ts';
import { formatSubmission, formatTime } from '../output/submission-table.ts';
import { formatTable } from '../output/table.ts';
import { wrap } from '../output/text-width.ts';
import { type Context, openSession, take } from '../session.ts';
import { waitFor } from './submissions.ts';

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
  const rowsOf = (issues: Topics['orphanIssues']) =>
    formatTable(
      ['', '', ''],
      issues.map(({ severity, ruleCode, summary }) => [
        { text: severity, styles: severityStyles[severity] },
        ruleCode,
        summary,
      ]),
      output,
      '  ',
    );
  const blocks = topics.map(({ title, summary, severity, issueCount, issues }) =>
    [
      `${output.paint(severity, ...severityStyles[severity])}  ${output.paint(plain(title), 'bold')}  ${formatCount(issueCount, 'issue')}`,
      ...wrap(plain(summary), output.width() - 2).map((line) => `  ${line}`),
      rowsOf(issues),
    ].join('\n'),
  );
  if (orphanIssues.length > 0) blocks.push(`${output.paint('Other issues', 'bold')}\n${rowsOf(orphanIssues)}`);
  return metadata.totalIssueCount === 0 ? 'No issues.' : blocks.join('\n\n');
}

export function addVersions(program: Command, context: Context): void {
  program
    .command('versions <submissionId>')
    .summary('list all versions of the assets of a submission')
    .description('Lists all versions of the assets of a submission.')
    .addHelpText('after', '\nExample:\n  $ assay versions <submissionId>')
    .action(async (submissionId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const versions = await take(session.assay.submissions.versions(submissionId, {}, { signal: session.signal }));
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
    .description('Retries a failed asset, up to three times.')
    .option('--wait', 'wait until the retry finishes')
    .addHelpText('after', '\nExample:\n  $ assay retry <submissionId> <assetId> --wait')
    .action(async (submissionId: string, assetId: string, { wait }: { wait?: boolean }, self: Command) => {
      const session = openSession(self, context);
      await session.assay.assets.retry(submissionId, assetId, { signal: session.signal });
      const submission = wait
        ? await waitFor(session, submissionId)
        : await session.assay.submissions.get(submissionId, { signal: session.signal });
      session.print(submission, () => formatSubmission(submission, session.out));
      const asset = submission.assets.find((one) => one.assetId === assetId);
      if (wait && asset?.status === 'failed') process.exitCode = exitCodeOf('failed');
    });
}
