import { type Severity, severities } from '@assay/report/severity.ts';
import { gateOf } from '@assay/report/verdict/judgement.ts';
import type { Submission } from '@assay/sdk';
import type { Command } from 'commander';
import { checkFiles, viewLaterHint } from '../check-files.ts';
import { describeFailure } from '../failure.ts';
import { findFiles } from '../files/find-files.ts';
import { type RunGate, toJson } from '../output/checked.ts';
import { formatFailingFiles } from '../output/failing-files.ts';
import { formatCheckedFile, formatChecksOfFiles } from '../output/issue-table.ts';
import { formatJson } from '../output/output.ts';
import { printFailure } from '../output/print-failure.ts';
import { formatSkipped } from '../output/skipped.ts';
import { formatVerdict, judge } from '../output/verdict.ts';
import { assetsMax } from '../send-files.ts';
import { type Context, openSession, type Session } from '../session.ts';
import { type ReportTargets, requireWritableTargets, writeReports } from '../write-reports.ts';
import { choiceOption, wholeNumber } from './option-values.ts';
import { addSendOptions, namedFiles, readSendOptions, type SendFlags } from './send-flags.ts';

type Flags = SendFlags & ReportTargets & { failOn?: Severity | 'none'; timeout?: number };

const examples = `
Examples:
  $ assay check video.mp4
  $ assay check media                                   check a folder, and the folders in it
  $ assay check media/*.mp4 --profile streaming         check against a delivery profile; see assay profiles
  $ assay check --fail-on CRITICAL media/*.mp4          in a pipeline: exit code 3 on CRITICAL issues only
  $ assay check video.mp4 --sidekick loudness           run one check only; list them with assay sidekicks
  $ assay check video.mp4 --html report.html            write a report to share
  $ assay check media --csv issues.csv                  a table with a row per issue, for a spreadsheet
  $ assay check video.mp4 --junit assay.xml --json      for other programs
  $ assay check video-v2.mp4 --previous <submissionId>  a new version: known issues keep their numbers

Exit codes: 0 passed, also with waivers; 3 failed; 4 not checked; 7 needs review: an issue awaits review, or a check
could not examine everything. Of several files, the worst counts: a rejected file (5), then 3, 4 and 7.

Files in a folder that are hidden or not supported are skipped and listed. A named file that is not supported is rejected;
the others are still checked. Results go to stdout, progress to stderr.`;

export function addCheck(program: Command, context: Context): void {
  const command = program
    .command('check')
    .summary('check files and show the issues found')
    .description('Uploads files, waits for the analysis, and shows the issues found and the checks that ran.')
    .argument('<files...>', namedFiles)
    .addOption(
      choiceOption(
        '--fail-on <severity>',
        'exit with code 3 on an issue of this severity or worse, instead of the one that the delivery profile sets; with none, the exit code does not depend on the verdict',
        [...severities, 'none'],
      ),
    )
    .option('--junit <file>', 'write a JUnit XML report')
    .option('--csv <file>', 'write a table of all issues as CSV')
    .option(
      '--html <file>',
      `write an HTML report; with more than ${assetsMax} files, one report per submission of ${assetsMax} files`,
    )
    .option('--pdf <file>', 'write the report as PDF, with an installed Chromium or Chrome (or CHROME_PATH)')
    .option('--timeout <seconds>', 'stop waiting after this time; the analysis continues', wholeNumber(1));
  addSendOptions(command);
  command.addHelpText('after', examples).action(async (named: string[], flags: Flags, self: Command) => {
    const session = openSession(self, context);
    const { html, pdf, junit, csv } = flags;
    const targets = { html, pdf, junit, csv };
    await requireWritableTargets(targets, session.environment);
    // With a wrong key or address this call fails before any file is read. The mode tells whether files are analysed.
    const { mode } = await session.assay.me({ signal: session.signal, maxRetries: 1 });
    if (mode === 'sandbox') warnOfSandbox(session);
    const options = await readSendOptions(session, flags);
    const startedAt = Date.now();
    const { files, skipped } = findFiles(named);
    const { checked, submissions, failure } = await checkFiles(session, files, options, flags.timeout);
    const gate = gateOfRun(flags.failOn, submissions);
    const verdict = judge(checked, gate, failure);
    process.exitCode = verdict.exitCode;
    if (session.isJson) {
      const assets = checked.map((one) => toJson(one, gate));
      session.out.line(formatJson({ submissions, assets, skipped, verdict, ...(failure && { error: failure }) }));
    } else if (verdict.missingCount < checked.length) {
      const isOnly = checked.length === 1;
      for (const one of checked) session.out.line(`${formatCheckedFile(one, session.out, isOnly)}\n`);
      if (!isOnly) session.out.line(`${formatChecksOfFiles(checked, session.out)}\n`);
      if (skipped.length > 0) session.out.line(`${formatSkipped(skipped, session.out)}\n`);
      session.out.line(formatVerdict(verdict, session.out));
      session.out.line(formatTiming(submissions, Date.now() - startedAt, session));
      const failing = formatFailingFiles(checked, gate, session.out);
      if (failing) session.out.line(`\n${failing}`);
    }
    if (failure) printFailure(session.err, failure);
    // Reports are written last, so that a failure to write one affects neither the printed issues nor the exit code.
    const { written, failures } = await writeReports(session, targets, { checked, submissions, gate });
    for (const file of written) session.err.line(session.err.paint(`  Wrote ${file}`, 'dim'));
    for (const error of failures) {
      const failure = describeFailure(error);
      printFailure(session.err, { ...failure, message: `Could not write the report: ${failure.message}` });
      process.exitCode = verdict.exitCode || failure.exitCode;
    }
  });
}

/** The gate of this run. All submissions of a run have the same profile; without any, there is nothing to judge. */
function gateOfRun(failOn: Severity | 'none' | undefined, [submission]: Submission[]): RunGate | null {
  if (!submission) return null;
  if (failOn === 'none') return { ...gateOf(submission), isEnforced: false };
  return { ...gateOf(submission, failOn), isEnforced: true };
}

function formatTiming(submissions: Submission[], ms: number, { out, environment }: Session): string {
  const analysisMs = submissions.map((one) => Date.parse(one.completedAt ?? one.createdAt) - Date.parse(one.createdAt));
  const lines = [
    `Finished in ${formatSeconds(ms)} (analysis ${formatSeconds(Math.max(0, ...analysisMs))}).`,
    ...submissions.map(({ submissionId }) => viewLaterHint(submissionId, environment)),
  ];
  return lines.map((line) => out.paint(`  ${line}`, 'dim')).join('\n');
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function warnOfSandbox({ err }: Session): void {
  err.line(
    err.paint('Sandbox key: files are not analysed, the run is simulated. Use a live key to check files.', 'yellow'),
  );
}
