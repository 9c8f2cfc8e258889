import type { Submission } from '@assay/sdk';
import type { Command } from 'commander';
import { requireYes } from '../ask.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { createProgress, progressOf } from '../progress.ts';
import { formatMoment } from '../report/format.ts';
import { readAsset } from '../results.ts';
import { openSession, type Session, type Surroundings, take } from '../session.ts';
import { formatSubmission, formatSubmissions } from '../submission-table.ts';
import { requireFolders, writeReports } from '../write-reports.ts';
import { choiceOption, listOption, wholeNumber } from './option-values.ts';

type Status = Submission['status'];
type ListFlags = { status?: Status[]; mode?: Mode; limit: number; createdAfter?: string; createdBefore?: string };
type Mode = 'live' | 'sandbox' | 'all';
type GetFlags = { wait?: boolean; html?: string };

const modes: Mode[] = ['live', 'sandbox', 'all'];
const statuses: Status[] = ['submitted', 'processing', 'complete', 'failed'];

export function addSubmissions(program: Command, surroundings: Surroundings): void {
  const group = program
    .command('submissions')
    .summary('list, look at, cancel and delete submissions')
    .description('What was submitted.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay submissions list --status failed\n  $ assay submissions get <submissionId> --wait',
    );

  group
    .command('list')
    .description('Lists submissions, newest first.')
    .addOption(listOption('--status <status>', 'only these', statuses))
    .addOption(choiceOption('--mode <mode>', 'of this mode; left out: of the mode of the key', modes))
    .option('--created-after <time>', 'such as 2026-11-15T12:00:00Z')
    .option('--created-before <time>', 'likewise')
    .option('--limit <n>', 'at most so many', wholeNumber(1), 20)
    .addHelpText('after', '\nExample:\n  $ assay submissions list --status processing,submitted --limit 5')
    .action(async ({ limit, ...query }: ListFlags, self: Command) => {
      const session = openSession(self, surroundings);
      const listing = session.assay.submissions.list(
        { ...query, limit: Math.min(limit, 100) },
        { signal: session.signal },
      );
      const submissions = await take(listing, limit);
      session.show({ submissions }, () =>
        submissions.length > 0
          ? formatSubmissions(submissions, session.out)
          : 'There are none. Make one: assay check <file>',
      );
    });

  group
    .command('get <submissionId>')
    .description('Shows how far a submission and each of its assets are.')
    .option('--wait', 'wait until it is over')
    .option('--html <file>', 'write its report there')
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay submissions get <submissionId> --wait\n  $ assay submissions get <submissionId> --html report.html',
    )
    .action(async (submissionId: string, { wait, html }: GetFlags, self: Command) => {
      const session = openSession(self, surroundings);
      await requireFolders({ html });
      const submission = wait
        ? await waitFor(session, submissionId)
        : await session.assay.submissions.get(submissionId, { signal: session.signal });
      if (html) await writeReport(session, submission, html);
      session.show(submission, () => formatSubmission(submission, session.out));
      if (submission.assets.some(({ status }) => status === 'failed')) process.exitCode = exitCodeOf('failed');
    });

  group
    .command('cancel <submissionId>')
    .description('Stops what has not ended yet of a submission. It can be retried.')
    .addHelpText('after', '\nExample:\n  $ assay submissions cancel <submissionId>')
    .action(async (submissionId: string, _: unknown, self: Command) => {
      const session = openSession(self, surroundings);
      const submission = await session.assay.submissions.cancel(submissionId, { signal: session.signal });
      session.show(submission, () => formatSubmission(submission, session.out));
    });

  group
    .command('delete <submissionId>')
    .description('Deletes a submission that is over, with all that is known of it. This cannot be undone.')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ assay submissions delete <submissionId> --yes')
    .action(async (submissionId: string, { yes }: { yes?: boolean }, self: Command) => {
      const session = openSession(self, surroundings);
      const { assets, createdAt } = await session.assay.submissions.get(submissionId, { signal: session.signal });
      const what = `${submissionId} of ${formatMoment(createdAt)} (${assets.map(({ filename }) => filename).join(', ')})`;
      await requireYes(`Delete ${what} with all results?`, yes, session.signal);
      await session.assay.submissions.delete(submissionId, { signal: session.signal });
      session.show(
        { submissionId, isDeleted: true },
        () => `${session.out.paint('✓', 'green')} Deleted ${submissionId}.`,
      );
    });
}

/** Follows one that was submitted before, with a line per asset. */
export async function waitFor(session: Session, submissionId: string): Promise<Submission> {
  const progress = createProgress(session.err);
  const reports = new Map<string, ReturnType<typeof progress.add>>();
  const onUpdate = ({ assets }: Submission) => {
    for (const asset of assets) {
      const report = reports.get(asset.assetId) ?? progress.add(asset.filename, 0);
      reports.set(asset.assetId, report);
      report(progressOf(asset));
    }
  };
  try {
    return await session.assay.submissions.wait(submissionId, { onUpdate, signal: session.signal });
  } finally {
    progress.end();
  }
}

async function writeReport(session: Session, submission: Submission, html: string): Promise<void> {
  const checked = [];
  for (const { assetId, filename } of submission.assets) {
    checked.push({ file: filename, ...(await readAsset(session, submission.submissionId, assetId)), refusal: null });
  }
  await writeReports(session, { html }, { checked, submissions: [submission] });
  session.err.line(`Written: ${html}`);
}
