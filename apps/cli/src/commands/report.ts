import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { type Context, openSession } from '../session.ts';
import { requireWritableTargets, writeSubmissionReport } from '../write-reports.ts';

type Flags = { html?: string; pdf?: string };

export function addReport(program: Command, context: Context): void {
  program
    .command('report <submissionId>')
    .summary('write the report of a submission')
    .description('Writes the report of a submission, as HTML, as PDF or both.')
    .option('--html <file>', 'write an HTML report')
    .option('--pdf <file>', 'write the report as PDF, with an installed Chromium or Chrome (or CHROME_PATH)')
    .addHelpText('after', '\nExample:\n  $ assay report <submissionId> --pdf report.pdf')
    .action(async (submissionId: string, { html, pdf }: Flags, self: Command) => {
      const session = openSession(self, context);
      if (!html && !pdf) throw new Failure('usage', 'Pass --html <file>, --pdf <file> or both.');
      await requireWritableTargets({ html, pdf }, session.environment);
      const submission = await session.assay.submissions.get(submissionId, { signal: session.signal });
      const files = await writeSubmissionReport(session, submission, { html, pdf });
      if (session.isJson) session.print({ submissionId, files }, () => '');
    });
}
