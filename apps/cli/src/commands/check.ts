import { type Severity, severities } from '@assay/report/severity.ts';
import { type CreatedSubmission, type Submission, TimeoutError } from '@assay/sdk';
import type { Command } from 'commander';
import { describeFailure, Failure } from '../failure.ts';
import { findFiles, type MediaFile } from '../files.ts';
import { type CheckedFile, toJson } from '../output/checked.ts';
import { formatCheckedFile } from '../output/issue-table.ts';
import { formatJson } from '../output/output.ts';
import { printFailure } from '../output/print-failure.ts';
import { createProgress, progressOf } from '../output/progress.ts';
import { formatVerdict, type Gate, judge } from '../output/verdict.ts';
import { readAsset } from '../read-asset.ts';
import { assetsMax, type SendOptions, type SentFile, sendFiles } from '../send-files.ts';
import { type Context, openSession, type Session } from '../session.ts';
import type { Environment } from '../settings.ts';
import { requireWritableTargets, writeReports } from '../write-reports.ts';
import { choiceOption, wholeNumber } from './option-values.ts';
import { addSendOptions, readSendOptions, type SendFlags } from './send-flags.ts';

type Flags = SendFlags & { failOn?: Severity | 'none'; junit?: string; html?: string; timeout?: number };

const examples = `
Examples:
  $ assay check video.mp4
  $ assay check media/*.mp4 --profile streaming         check against a delivery profile; see assay profiles
  $ assay check --fail-on CRITICAL media/*.mp4          in a pipeline: exit code 3 on CRITICAL issues only
  $ assay check video.mp4 --sidekick loudness           run one check only; list them with assay sidekicks
  $ assay check video.mp4 --html report.html            write a report to share
  $ assay check video.mp4 --junit assay.xml --json      for other programs
  $ assay check video-v2.mp4 --previous <submissionId>  a new version: known issues keep their numbers

Folders are not searched; list the files. Results go to stdout, progress to stderr.`;

export function addCheck(program: Command, context: Context): void {
  const command = program
    .command('check')
    .summary('check files and show the issues found')
    .description('Uploads files, waits for the analysis, and shows the issues found and the checks that ran.')
    .argument('<files...>', 'videos, audio, images, documents')
    .addOption(
      choiceOption(
        '--fail-on <severity>',
        'exit with code 3 on an issue of this severity or worse (default: the severity that the delivery profile sets)',
        [...severities, 'none'],
      ),
    )
    .option('--junit <file>', 'write a JUnit XML report')
    .option(
      '--html <file>',
      `write an HTML report; with more than ${assetsMax} files, one report per submission of ${assetsMax} files`,
    )
    .option('--timeout <seconds>', 'stop waiting after this time; the analysis continues', wholeNumber(1));
  addSendOptions(command);
  command.addHelpText('after', examples).action(async (named: string[], flags: Flags, self: Command) => {
    const files = findFiles(named);
    const session = openSession(self, context);
    const targets = { html: flags.html, junit: flags.junit };
    await requireWritableTargets(targets);
    // With a wrong key or address this call fails before any file is read. The mode tells whether files are analysed.
    const { mode } = await session.assay.me({ signal: session.signal, maxRetries: 1 });
    if (mode === 'sandbox') warnOfSandbox(session);
    const options = await readSendOptions(session, flags);
    const startedAt = Date.now();
    const submissionIds: string[] = [];
    const { checked, submissions } = await checkFiles(session, files, options, flags.timeout, submissionIds).catch(
      (error: unknown) => {
        throw explainEarlyExit(error, submissionIds, session);
      },
    );
    const gate = gateOf(flags.failOn, submissions);
    const verdict = judge(checked, gate);
    process.exitCode = verdict.exitCode;
    if (session.isJson) {
      session.out.line(formatJson({ submissions, assets: checked.map(toJson), verdict }));
    } else {
      for (const one of checked) session.out.line(`${formatCheckedFile(one, session.out)}\n`);
      session.out.line(formatVerdict(verdict, session.out));
      session.out.line(formatTiming(submissions, Date.now() - startedAt, session));
    }
    // Reports are written last: one that cannot be written must hide neither the issues nor their exit code.
    try {
      const written = await writeReports(session, targets, { checked, submissions, failOn: gate?.failOn });
      for (const file of written) session.err.line(session.err.paint(`  Wrote ${file}`, 'dim'));
    } catch (error) {
      const failure = describeFailure(error);
      printFailure(session.err, { ...failure, message: `Could not write the report: ${failure.message}` });
      process.exitCode = verdict.exitCode || failure.exitCode;
    }
  });
}

/** The severity from which issues fail this run. All submissions of a run have the same profile. */
function gateOf(failOn: Severity | 'none' | undefined, submissions: Submission[]): Gate | undefined {
  if (failOn === 'none') return undefined;
  if (failOn) return { failOn, profile: null };
  const profile = submissions[0]?.profile;
  return profile && { failOn: profile.failOn, profile: profile.name };
}

/** Uploads and submits the files, and waits for the results. */
async function checkFiles(
  session: Session,
  files: MediaFile[],
  options: SendOptions,
  timeoutSeconds: number | undefined,
  submissionIds: string[],
) {
  const progress = createProgress(session.err);
  const submissions: Submission[] = [];
  const waitMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  try {
    const follow = async ({ submissionId }: CreatedSubmission, group: SentFile[], signal: AbortSignal) => {
      submissionIds.push(submissionId);
      if (!session.err.isTerminal) session.err.line(`Submitted: ${submissionId}`);
      const onUpdate = (submission: Submission) => showUpdate(submission, group);
      submissions.push(await session.assay.submissions.wait(submissionId, { onUpdate, waitMs, signal }));
    };
    const sent = await sendFiles(session, files, options, progress, follow);
    const order = sent.map((one) => ('submissionId' in one ? one.submissionId : ''));
    submissions.sort((a, b) => order.indexOf(a.submissionId) - order.indexOf(b.submissionId));
    return { submissions, checked: await readResults(session, sent) };
  } finally {
    progress.end();
  }
}

function showUpdate(submission: Submission, group: SentFile[]): void {
  for (const one of group) {
    const asset = submission.assets.find(({ assetId }) => 'assetId' in one && assetId === one.assetId);
    if (asset) one.report(progressOf(asset));
  }
}

async function readResults(session: Session, sent: SentFile[]): Promise<CheckedFile[]> {
  const checked: CheckedFile[] = [];
  for (const one of sent) {
    const { file } = one.media;
    if (one.refusal) checked.push({ file, result: null, issues: [], refusal: one.refusal });
    else checked.push({ file, ...(await readAsset(session, one.submissionId, one.assetId)), refusal: null });
  }
  return checked;
}

/** Adds to the error of an early exit that the analysis continues, and how to get the results. */
function explainEarlyExit(error: unknown, submissionIds: string[], { signal, err, environment }: Session): unknown {
  if (submissionIds.length === 0) {
    return signal.aborted ? new Failure('interrupted', 'Interrupted. Nothing was submitted.', { cause: error }) : error;
  }
  const continues = 'The analysis continues.';
  const next = submissionIds.map((id) => viewLaterHint(id, environment)).join('\n');
  if (signal.aborted) return new Failure('interrupted', `Interrupted. ${continues}`, { next, cause: error });
  if (error instanceof TimeoutError)
    return new Failure('unreachable', `Not finished within the timeout. ${continues}`, { next, cause: error });
  err.line(`${continues}\n${next}`);
  return error;
}

function formatTiming(submissions: Submission[], ms: number, { out, environment }: Session): string {
  const analysisMs = submissions.map((one) => Date.parse(one.completedAt ?? one.createdAt) - Date.parse(one.createdAt));
  const lines = [
    `Finished in ${formatSeconds(ms)} (analysis ${formatSeconds(Math.max(0, ...analysisMs))}).`,
    ...submissions.map(({ submissionId }) => viewLaterHint(submissionId, environment)),
  ];
  return lines.map((line) => out.paint(`  ${line}`, 'dim')).join('\n');
}

/** In a clone of the repository the program is started with `pnpm assay`, which sets the script name. */
function viewLaterHint(submissionId: string, { npm_lifecycle_event: script }: Environment): string {
  return `View later: ${script === 'assay' ? 'pnpm assay' : 'assay'} submissions get ${submissionId}`;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function warnOfSandbox({ err }: Session): void {
  err.line(
    err.paint('Sandbox key: files are not analysed, the run is simulated. Use a live key to check files.', 'yellow'),
  );
}
