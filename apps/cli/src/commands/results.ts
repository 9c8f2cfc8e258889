import type { Changes } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { formatChanges } from '../output/changes-table.ts';
import { formatSubmission, formatTime } from '../output/submission-table.ts';
import { formatTable } from '../output/table.ts';
import { formatTopics } from '../output/topics-table.ts';
import { type Context, openSession, type Session, takeItems } from '../session.ts';
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

export function addChanges(program: Command, context: Context): void {
  program
    .command('changes <submissionId> <assetId>')
    .summary('compare an asset with its previous version')
    .description(
      'Shows the new, gone and kept issues of an asset, compared with its previous version, and how measured values changed.',
    )
    .addHelpText('after', '\nExample:\n  $ assay changes <submissionId> <assetId>')
    .action(async (submissionId: string, assetId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const changes = await session.assay.assets.changes(submissionId, assetId, { signal: session.signal });
      const compared = session.isJson ? { now: [], before: [] } : await readCompared(session, changes);
      session.print(changes, () => formatChanges(changes, compared, session.out));
    });
}

/** The issues in full of both versions, because the list of changes does not have their measured values. */
async function readCompared(session: Session, { submissionId, assetId, previous, keptIssues }: Changes) {
  if (!previous || keptIssues.length === 0) return { now: [], before: [] };
  const { signal } = session;
  const read = (version: { submissionId: string; assetId: string }) =>
    takeItems(session.assay.issues.list(version.submissionId, version.assetId, {}, { signal }));
  return { now: await read({ submissionId, assetId }), before: await read(previous) };
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
