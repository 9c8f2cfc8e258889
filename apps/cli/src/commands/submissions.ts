import { formatDateTime } from '@assay/report/format/format.ts';
import { type Submission, type Verdict, verdicts } from '@assay/sdk';
import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { createProgress, progressOf } from '../output/progress.ts';
import { formatSubmission, formatSubmissions } from '../output/submission-table.ts';
import { requireConfirmation } from '../prompt.ts';
import { type Context, openSession, type Session, takeItems } from '../session.ts';
import { requireWritableTargets, writeSubmissionReport } from '../write-reports.ts';
import { choiceOption, listOption, wholeNumber } from './option-values.ts';

type Status = Submission['status'];
type ListFlags = {
  status?: Status[];
  verdict?: Verdict[];
  profile?: string;
  clientReference?: string;
  filename?: string;
  mode?: Mode;
  limit: number;
  createdAfter?: string;
  createdBefore?: string;
};
type Mode = 'live' | 'sandbox' | 'all';
type GetFlags = { wait?: boolean; html?: string };

const modes: Mode[] = ['live', 'sandbox', 'all'];
const statuses: Status[] = ['submitted', 'processing', 'complete', 'failed'];

export function addSubmissions(program: Command, context: Context): void {
  const group = program
    .command('submissions')
    .summary('list, show, cancel and delete submissions')
    .description('Lists, shows, cancels and deletes submissions.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay submissions list --status failed\n  $ assay submissions get <submissionId> --wait',
    );

  group
    .command('list')
    .description('Lists submissions, newest first.')
    .addOption(listOption('--status <status>', 'only submissions with this status', statuses))
    .addOption(listOption('--verdict <verdict>', 'only submissions with this verdict', verdicts))
    .option('--profile <profile>', 'only submissions with this delivery profile, by name or id')
    .option('--client-reference <reference>', 'only submissions whose metadata.clientReference is exactly this')
    .option(
      '--filename <prefix>',
      'only submissions with a file whose name begins so, by file name; not with the other filters',
    )
    .addOption(choiceOption('--mode <mode>', 'only submissions in this mode (default: the mode of the key)', modes))
    .option('--created-after <time>', 'created after this time, such as 2026-11-15T12:00:00Z')
    .option('--created-before <time>', 'created before this time')
    .option('--limit <n>', 'maximum number of results', wholeNumber(1), 20)
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay submissions list --status processing,submitted --limit 5\n  $ assay submissions list --verdict failed,needs_review',
    )
    .action(async ({ limit, ...query }: ListFlags, self: Command) => {
      const session = openSession(self, context);
      const listing = session.assay.submissions.list(
        { ...query, limit: Math.min(limit, 100) },
        { signal: session.signal },
      );
      const submissions = await takeItems(listing, limit);
      session.print({ submissions }, () =>
        submissions.length > 0
          ? formatSubmissions(submissions, session.out)
          : 'No submissions. Create one: assay check <file>',
      );
    });

  group
    .command('get <submissionId>')
    .description('Shows the status of a submission and its assets.')
    .option('--wait', 'wait until the submission finishes')
    .option('--html <file>', 'write an HTML report')
    .addHelpText(
      'after',
      '\nExamples:\n  $ assay submissions get <submissionId> --wait\n  $ assay submissions get <submissionId> --html report.html',
    )
    .action(async (submissionId: string, { wait, html }: GetFlags, self: Command) => {
      const session = openSession(self, context);
      await requireWritableTargets({ html }, session.environment);
      const submission = wait
        ? await waitForSubmission(session, submissionId)
        : await session.assay.submissions.get(submissionId, { signal: session.signal });
      if (html) await writeSubmissionReport(session, submission, { html });
      session.print(submission, () => formatSubmission(submission, session.out));
      if (submission.assets.some(({ status }) => status === 'failed')) process.exitCode = exitCodeOf('failed');
    });

  group
    .command('cancel <submissionId>')
    .description('Cancels the assets of a submission that have not finished. Cancelled assets can be retried.')
    .addHelpText('after', '\nExample:\n  $ assay submissions cancel <submissionId>')
    .action(async (submissionId: string, _: unknown, self: Command) => {
      const session = openSession(self, context);
      const submission = await session.assay.submissions.cancel(submissionId, { signal: session.signal });
      session.print(submission, () => formatSubmission(submission, session.out));
    });

  group
    .command('delete <submissionId>')
    .description('Deletes a finished submission with its files and results. This cannot be undone.')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExample:\n  $ assay submissions delete <submissionId> --yes')
    .action(async (submissionId: string, { yes }: { yes?: boolean }, self: Command) => {
      const session = openSession(self, context);
      const { assets, createdAt } = await session.assay.submissions.get(submissionId, { signal: session.signal });
      const what = `submission ${submissionId} from ${formatDateTime(createdAt)} (${assets.map(({ filename }) => filename).join(', ')})`;
      await requireConfirmation(`Delete ${what} with all results?`, yes, session.signal);
      await session.assay.submissions.delete(submissionId, { signal: session.signal });
      session.print(
        { submissionId, isDeleted: true },
        () => `${session.out.paint('✓', 'green')} Deleted ${submissionId}.`,
      );
    });
}

/** Waits for an existing submission and shows the progress of each asset. */
export async function waitForSubmission(session: Session, submissionId: string): Promise<Submission> {
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
