import { type CreatedSubmission, type Submission, TimeoutError } from '@assay/sdk';
import type { Command } from 'commander';
import { describeFailure, Failure } from '../failure.ts';
import { findFiles, type MediaFile } from '../files.ts';
import { formatChecked } from '../findings.ts';
import { formatJson, type Output } from '../output.ts';
import { createProgress, progressOf } from '../progress.ts';
import { type Severity, severities } from '../report/severity.ts';
import { type Checked, readAsset, toJson } from '../results.ts';
import { type SendOptions, type Sent, sendFiles } from '../send-files.ts';
import { openSession, type Session, type Surroundings } from '../session.ts';
import { tellFailure } from '../tell-failure.ts';
import { formatVerdict, judge } from '../verdict.ts';
import { requireFolders, writeReports } from '../write-reports.ts';
import { choiceOption, wholeNumber } from './option-values.ts';
import { addSendOptions, readSendOptions, type SendFlags } from './send-flags.ts';

type Flags = SendFlags & { failOn?: Severity; junit?: string; html?: string; timeout?: number };

const examples = `
Examples:
  $ assay check film.mp4                            what is wrong with it?
  $ assay check --fail-on MAJOR media/*.mp4         a gate in a pipeline: exit code 3 if there is something
  $ assay check film.mp4 --sidekick loudness        this check only; their names: assay sidekicks
  $ assay check film.mp4 --html report.html         a report to hand around
  $ assay check film.mp4 --junit assay.xml --json   for machines
  $ assay check film-v2.mp4 --previous <submissionId>   a new version: what is known keeps its number

Files are named one by one; folders are not walked. Progress goes to stderr, results to stdout.`;

export function addCheck(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('check')
    .summary('analyse files, wait, and show what was found')
    .description('Uploads files, has them analysed, waits, and shows what was found and who looked.')
    .argument('<files...>', 'films, sounds, pictures, documents')
    .addOption(choiceOption('--fail-on <severity>', 'exit with 3 if there is a finding of it or worse', severities))
    .option('--junit <file>', 'write JUnit XML there')
    .option('--html <file>', 'write a report there; one per submission if there are more than 50 files')
    .option('--timeout <seconds>', 'wait no longer than this for the analysis, which goes on', wholeNumber(1));
  addSendOptions(command);
  command.addHelpText('after', examples).action(async (named: string[], flags: Flags, self: Command) => {
    const files = findFiles(named);
    const session = openSession(self, surroundings);
    const targets = { html: flags.html, junit: flags.junit };
    await requireFolders(targets);
    // Says what is wrong with key or address before any file is read, and whether anybody will look at all.
    const { mode } = await session.assay.me({ signal: session.signal, maxRetries: 1 });
    if (mode === 'sandbox') warnOfSandbox(session);
    const options = await readSendOptions(session, flags);
    const startedAt = Date.now();
    const begun: string[] = [];
    const { checked, submissions } = await run(session, files, options, flags.timeout, begun).catch(
      (error: unknown) => {
        throw leaving(error, begun, session);
      },
    );
    const verdict = judge(checked, flags.failOn);
    process.exitCode = verdict.exitCode;
    if (session.isJson) {
      session.out.line(formatJson({ submissions, assets: checked.map(toJson), verdict }));
    } else {
      for (const one of checked) session.out.line(`${formatChecked(one, session.out)}\n`);
      session.out.line(formatVerdict(verdict, session.out));
      session.out.line(formatTail(submissions, Date.now() - startedAt, session.out));
    }
    // Last: what was found is told whatever becomes of the reports, and weighs more than they do.
    try {
      const material = { checked, submissions, failOn: flags.failOn };
      const written = await writeReports(session, targets, material);
      for (const file of written) session.err.line(session.err.paint(`  Written: ${file}`, 'dim'));
    } catch (error) {
      const failure = describeFailure(error);
      tellFailure(session.err, { ...failure, message: `No report: ${failure.message}` });
      process.exitCode = verdict.exitCode || failure.exitCode;
    }
  });
}

/** Uploads, submits and follows. */
async function run(
  session: Session,
  files: MediaFile[],
  options: SendOptions,
  timeoutSeconds: number | undefined,
  begun: string[],
) {
  const progress = createProgress(session.err);
  const submissions: Submission[] = [];
  const waitMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  try {
    const follow = async ({ submissionId }: CreatedSubmission, group: Sent[], signal: AbortSignal) => {
      begun.push(submissionId);
      if (!session.err.isTerminal) session.err.line(`Submitted: ${submissionId}`);
      const onUpdate = (submission: Submission) => showUpdate(submission, group);
      submissions.push(await session.assay.submissions.wait(submissionId, { onUpdate, waitMs, signal }));
    };
    const sent = await sendFiles(session, files, options, progress, follow);
    const order = sent.map((one) => ('submissionId' in one ? one.submissionId : ''));
    submissions.sort((a, b) => order.indexOf(a.submissionId) - order.indexOf(b.submissionId));
    return { submissions, checked: await readAll(session, sent) };
  } finally {
    progress.end();
  }
}

function showUpdate(submission: Submission, group: Sent[]): void {
  for (const one of group) {
    const asset = submission.assets.find(({ assetId }) => 'assetId' in one && assetId === one.assetId);
    if (asset) one.report(progressOf(asset));
  }
}

async function readAll(session: Session, sent: Sent[]): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const one of sent) {
    const { file } = one.media;
    if (one.refusal) checked.push({ file, result: null, issues: [], refusal: one.refusal });
    else checked.push({ file, ...(await readAsset(session, one.submissionId, one.assetId)), refusal: null });
  }
  return checked;
}

/** Whoever leaves early, by his own will or not, is told what goes on without him. */
function leaving(error: unknown, submissionIds: string[], { signal, err }: Session): unknown {
  if (submissionIds.length === 0) {
    return signal.aborted ? new Failure('interrupted', 'Interrupted. Nothing was submitted.', { cause: error }) : error;
  }
  const goesOn = `${submissionIds.length === 1 ? 'The submission goes' : 'The submissions go'} on without you.`;
  const next = `Look again: ${submissionIds.map((id) => `assay submissions get ${id}`).join('\n')}`;
  if (signal.aborted) return new Failure('interrupted', `Interrupted. ${goesOn}`, { next, cause: error });
  if (error instanceof TimeoutError)
    return new Failure('unreachable', `Not over in time. ${goesOn}`, { next, cause: error });
  err.line(`${goesOn} ${next}`);
  return error;
}

function formatTail(submissions: Submission[], ms: number, output: Output): string {
  const analysisMs = submissions.map((one) => Date.parse(one.completedAt ?? one.createdAt) - Date.parse(one.createdAt));
  const lines = [
    `Took ${inSeconds(ms)}, the analysis ${inSeconds(Math.max(0, ...analysisMs))} of it.`,
    ...submissions.map(({ submissionId }) => `Again: assay submissions get ${submissionId}`),
  ];
  return lines.map((line) => output.paint(`  ${line}`, 'dim')).join('\n');
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function warnOfSandbox({ err }: Session): void {
  err.line(err.paint('A sandbox key rehearses: nothing will be analysed. Use a live key to check files.', 'yellow'));
}
