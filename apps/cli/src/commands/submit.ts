import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { DescribedFailure, describeFailure, failureOf } from '../failure.ts';
import { findFiles } from '../files/find-files.ts';
import { formatJson, stripControls } from '../output/output.ts';
import { printFailure } from '../output/print-failure.ts';
import { createProgress } from '../output/progress.ts';
import { formatSkipped } from '../output/skipped.ts';
import { type SentFile, sendFiles } from '../send-files.ts';
import { type Context, openSession } from '../session.ts';
import { addSendOptions, namedFiles, readSendOptions, type SendFlags } from './send-flags.ts';

const examples = `
Examples:
  $ assay submit video.mp4
  $ id=$(assay submit video.mp4) && assay submissions get "$id" --wait
  $ assay submit video.mp4 --simulation-delay-seconds 30   with a sandbox key: a simulated run of 30 s

The submission ids go to stdout, one per line; everything else goes to stderr.`;

export function addSubmit(program: Command, context: Context): void {
  const command = program
    .command('submit')
    .summary('upload and submit files without waiting')
    .description('Uploads and submits files, and prints the submission id without waiting for the results.')
    .argument('<files...>', namedFiles);
  addSendOptions(command);
  command.addHelpText('after', examples).action(async (named: string[], flags: SendFlags, self: Command) => {
    const session = openSession(self, context);
    await session.assay.me({ signal: session.signal, maxRetries: 1 });
    const options = await readSendOptions(session, flags);
    const { files, skipped } = findFiles(named);
    const progress = createProgress(session.err);
    const submissionIds: string[] = [];
    const { files: sent, failures } = await sendFiles(session, files, options, progress, ({ submissionId }) => {
      submissionIds.push(submissionId);
    }).finally(() => progress.end());
    const [failed] = failures;
    const cause = session.signal.aborted ? failureOf(session.signal) : failed?.error;
    const failure = cause === undefined ? null : { ...describeFailure(cause), submissionIds };
    if (failure && submissionIds.length === 0) throw new DescribedFailure(failure, cause);
    if (session.isJson) {
      const assets = sent.map(toJson);
      session.out.line(formatJson({ submissionIds, assets, skipped, ...(failure && { error: failure }) }));
    } else for (const id of submissionIds) session.out.line(id);
    if (skipped.length > 0) session.err.line(formatSkipped(skipped, session.err));
    if (failure) {
      printFailure(session.err, { ...failure, message: `${failure.message}\nOnly a part of the files was submitted.` });
    }
    const refused = sent.filter(({ refusal }) => refusal);
    for (const { media, refusal } of refused) {
      session.err.line(
        `${session.err.paint('✗', 'red')} ${stripControls(media.file)} was rejected: ${stripControls(refusal?.message ?? '')}`,
      );
      session.err.line(`  ${refusal?.next}`);
    }
    process.exitCode = failure?.exitCode ?? (refused.length > 0 ? exitCodeOf('refused') : 0);
  });
}

function toJson(sent: SentFile) {
  const { file } = sent.media;
  if (sent.refusal) return { file, error: sent.refusal };
  return sent.submissionId ? { file, submissionId: sent.submissionId, assetId: sent.assetId } : { file };
}
