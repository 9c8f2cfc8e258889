import type { Command } from 'commander';
import { exitCodeOf } from '../exit-codes.ts';
import { findFiles } from '../files.ts';
import { stripControls } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import { type SentFile, sendFiles } from '../send-files.ts';
import { type Context, openSession } from '../session.ts';
import { addSendOptions, readSendOptions, type SendFlags } from './send-flags.ts';

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
    .argument('<files...>', 'videos, audio, images, documents');
  addSendOptions(command);
  command.addHelpText('after', examples).action(async (named: string[], flags: SendFlags, self: Command) => {
    const files = findFiles(named);
    const session = openSession(self, context);
    await session.assay.me({ signal: session.signal, maxRetries: 1 });
    const options = await readSendOptions(session, flags);
    const progress = createProgress(session.err);
    const submissionIds: string[] = [];
    const sent = await sendFiles(session, files, options, progress, ({ submissionId }) => {
      submissionIds.push(submissionId);
    })
      .finally(() => progress.end())
      .catch((error: unknown) => {
        for (const id of submissionIds) session.err.line(`Submitted before the error: ${id}`);
        throw error;
      });
    session.print({ submissionIds, assets: sent.map(toJson) }, () => submissionIds.join('\n'));
    const refused = sent.filter(({ refusal }) => refusal);
    for (const { media, refusal } of refused) {
      session.err.line(
        `${session.err.paint('✗', 'red')} ${stripControls(media.file)} was rejected: ${stripControls(refusal?.message ?? '')}`,
      );
      session.err.line(`  ${refusal?.next}`);
    }
    if (refused.length > 0) process.exitCode = exitCodeOf('refused');
  });
}

function toJson(sent: SentFile) {
  const { file } = sent.media;
  return sent.refusal
    ? { file, error: sent.refusal }
    : { file, submissionId: sent.submissionId, assetId: sent.assetId };
}
