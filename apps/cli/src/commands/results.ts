import type { Topics } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { severityStyles } from '../findings.ts';
import { type Output, plain, wrap } from '../output.ts';
import { formatCount } from '../report/format.ts';
import { openSession, type Surroundings, take } from '../session.ts';
import { formatSubmission, formatTime } from '../submission-table.ts';
import { formatTable } from '../table.ts';
import { waitFor } from './submissions.ts';

export function addTopics(program: Command, surroundings: Surroundings): void {
  program
    .command('topics <submissionId> <assetId>')
    .summary('show the findings of an asset, related ones together')
    .description('Shows the findings of an asset, those together that are likely to have one cause.')
    .addHelpText('after', '\nExample:\n  $ assay topics <submissionId> <assetId>')
    .action(async (submissionId: string, assetId: string, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const topics = await session.assay.assets.topics(submissionId, assetId, { signal: session.signal });
      session.show(topics, () => formatTopics(topics, session.out));
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
      `${output.paint(severity, ...severityStyles[severity])}  ${output.paint(plain(title), 'bold')}  ${formatCount(issueCount, 'finding')}`,
      ...wrap(plain(summary), output.width() - 2).map((line) => `  ${line}`),
      rowsOf(issues),
    ].join('\n'),
  );
  if (orphanIssues.length > 0) blocks.push(`${output.paint('On their own', 'bold')}\n${rowsOf(orphanIssues)}`);
  return metadata.totalIssueCount === 0 ? 'There are no findings.' : blocks.join('\n\n');
}

export function addVersions(program: Command, surroundings: Surroundings): void {
  program
    .command('versions <submissionId>')
    .summary('list all versions of the assets of a submission')
    .description('Lists all versions of the assets of a submission.')
    .addHelpText('after', '\nExample:\n  $ assay versions <submissionId>')
    .action(async (submissionId: string, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const versions = await take(session.assay.submissions.versions(submissionId, {}, { signal: session.signal }));
      session.show({ versions }, () =>
        formatTable(
          ['VERSION', 'SUBMISSION', 'STATUS', 'FINDINGS', 'CREATED', 'FILE'],
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

export function addRetry(program: Command, surroundings: Surroundings): void {
  program
    .command('retry <submissionId> <assetId>')
    .summary('try a failed asset again')
    .description('Tries an asset again that failed, at most three times.')
    .option('--wait', 'wait until it is over')
    .addHelpText('after', '\nExample:\n  $ assay retry <submissionId> <assetId> --wait')
    .action(async (submissionId: string, assetId: string, { wait }: { wait?: boolean }, self: Command) => {
      const session = openSession(self, surroundings);
      await session.assay.assets.retry(submissionId, assetId, { signal: session.signal });
      const submission = wait
        ? await waitFor(session, submissionId)
        : await session.assay.submissions.get(submissionId, { signal: session.signal });
      session.show(submission, () => formatSubmission(submission, session.out));
      const asset = submission.assets.find((one) => one.assetId === assetId);
      if (wait && asset?.status === 'failed') process.exitCode = exitCodeOf('failed');
    });
}
