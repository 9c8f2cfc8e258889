import { formatCount } from '@assay/report/format/format.ts';
import { type CreatedSubmission, type Submission, TimeoutError } from '@assay/sdk';
import { DescribedFailure, describeFailure, type FailureDescription, failureOf } from './failure.ts';
import type { NamedFile } from './files/find-files.ts';
import type { CheckedFile } from './output/checked.ts';
import { createProgress, type Progress, progressOf } from './output/progress.ts';
import { readAsset } from './read-asset.ts';
import { createSemaphore, type SendOptions, type SubmittedFile, sendFiles } from './send-files.ts';
import type { Session } from './session.ts';
import type { Environment } from './settings.ts';

type CheckedFiles = {
  /** In the order of the command line. */
  checked: CheckedFile[];
  /** The submissions that finished. */
  submissions: Submission[];
  /** Why some of the files have no result; null if all have one. */
  failure: FailureDescription | null;
};

/**
 * Uploads and submits the files, and reads the results of every submission that finishes, even if another fails. Throws
 * only if the run is interrupted.
 */
export async function checkFiles(
  session: Session,
  files: NamedFile[],
  options: SendOptions,
  timeoutSeconds: number | undefined,
): Promise<CheckedFiles> {
  const progress = createProgress(session.err);
  const run = createRun(session, timeoutSeconds);
  const sent = await sendAll(session, files, options, progress, run);
  const unfinished = run.submissionIds.filter((id) => !run.submissions.has(id));
  if (session.signal.aborted) throw describeInterruption(session, run.submissionIds);

  const failures = sent.failures.map(({ error, files }) => ({ files, description: describeFailure(error) }));
  const checked = sent.files.map(({ media, refusal }): CheckedFile => {
    const { file } = media;
    const failure = failures.find((one) => one.files.includes(media))?.description;
    const result = run.results.get(media);
    if (refusal) return { file, result: null, issues: [], refusal };
    return result ? { file, ...result, refusal: null } : { file, result: null, issues: [], refusal: null, failure };
  });
  const first = sent.failures[0];
  if (!first) return { checked, submissions: inOrder(run, sent.files), failure: null };
  const missingCount = checked.filter(({ result, refusal }) => !result && !refusal).length;
  const failure = describeRunFailure(session, first.error, unfinished, missingCount);
  return { checked, submissions: inOrder(run, sent.files), failure };
}

type Run = ReturnType<typeof createRun>;
type Result = Awaited<ReturnType<typeof readAsset>>;

/** What is known about each submission so far, and the function that waits for one. */
function createRun(session: Session, timeoutSeconds: number | undefined) {
  const submissionIds: string[] = [];
  const submissions = new Map<string, Submission>();
  const results = new Map<NamedFile, Result>();
  const waitMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000;
  // One asset at a time, to leave most of the workspace’s rate limit to other programs.
  const withPermit = createSemaphore(1);
  const follow = async ({ submissionId }: CreatedSubmission, group: SubmittedFile[]) => {
    submissionIds.push(submissionId);
    if (!session.err.isTerminal) session.err.line(`Submitted: ${submissionId}`);
    const onUpdate = (submission: Submission) => showUpdate(submission, group);
    const { signal } = session;
    const submission = await session.assay.submissions.wait(submissionId, { onUpdate, waitMs, signal });
    for (const { media, assetId } of group) {
      results.set(media, await withPermit(() => readAsset(session, submissionId, assetId)));
    }
    submissions.set(submissionId, submission);
  };
  return { submissionIds, submissions, results, follow };
}

async function sendAll(
  session: Session,
  files: NamedFile[],
  options: SendOptions,
  progress: Progress,
  { follow }: Run,
) {
  try {
    return await sendFiles(session, files, options, progress, follow);
  } finally {
    progress.end();
  }
}

function inOrder({ submissions }: Run, sent: { submissionId?: string | undefined }[]): Submission[] {
  const ids = new Set(sent.map(({ submissionId }) => submissionId));
  return [...ids].flatMap((id) => submissions.get(id ?? '') ?? []);
}

function showUpdate(submission: Submission, group: SubmittedFile[]): void {
  for (const one of group) {
    const asset = submission.assets.find(({ assetId }) => assetId === one.assetId);
    if (asset) one.report(progressOf(asset));
  }
}

const continues = 'The analysis continues.';

function describeInterruption({ signal, environment }: Session, submissionIds: string[]): DescribedFailure {
  const failure = failureOf(signal);
  const { exitCode, message } = describeFailure(failure);
  if (submissionIds.length === 0) {
    const description = { exitCode, message: `${message} Nothing was submitted.`, next: undefined };
    return new DescribedFailure(description, failure);
  }
  const next = formatViewLater(submissionIds, environment);
  return new DescribedFailure({ exitCode, message: `${message} ${continues}`, next, submissionIds }, failure);
}

/** Why files have no result, and how to get the results of those that were submitted. */
function describeRunFailure(
  { environment }: Session,
  error: unknown,
  submissionIds: string[],
  missingCount: number,
): FailureDescription {
  const description = describeFailure(error);
  const message = error instanceof TimeoutError ? 'Not finished within the timeout.' : description.message;
  const missing = `${formatCount(missingCount, 'file has', 'files have')} no result.`;
  if (submissionIds.length === 0) return { ...description, message: `${message}\n${missing}` };
  const views = formatViewLater(submissionIds, environment);
  const next = error instanceof TimeoutError ? views : [description.next, views].filter(Boolean).join('\n');
  return { ...description, message: `${message} ${continues}\n${missing}`, next, submissionIds };
}

function formatViewLater(submissionIds: string[], environment: Environment): string {
  return submissionIds.map((id) => viewLaterHint(id, environment)).join('\n');
}

/** In a clone of the repository the program is started with `pnpm assay`, which sets the script name. */
export function viewLaterHint(submissionId: string, { npm_lifecycle_event: script }: Environment): string {
  return `View later: ${script === 'assay' ? 'pnpm assay' : 'assay'} submissions get ${submissionId}`;
}
