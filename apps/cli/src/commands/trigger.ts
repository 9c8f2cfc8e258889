import { formatCount } from '@assay/report/format/format.ts';
import type { FireRequest } from '@assay/sdk';
import type { Command } from 'commander';
import { type Context, openSession, requireSandbox, type Session } from '../session.ts';
import { choiceArgument, fireableTypes } from './option-values.ts';

type Flags = { submission?: string; errorMessage?: string };

const examples = `
Examples:
  $ assay trigger asset.processing.completed
  $ assay trigger asset.processing.failed --submission <submissionId> --error-message 'The disk is full'

Needs a sandbox key. This command only creates events, one per asset of the submission; no asset is analysed or fails.
Without --submission, a small test submission is created first.`;

export function addTrigger(program: Command, context: Context): void {
  program
    .command('trigger')
    .summary('send a test webhook event')
    .description('Sends a synthetic webhook event to test a receiver.')
    .addArgument(choiceArgument('<eventType>', 'type of the event', fireableTypes))
    .option('--submission <id>', 'submission that the event is about (default: a new test submission)')
    .option('--error-message <text>', 'error message in the asset.processing.failed event')
    .addHelpText('after', examples)
    .action(async (eventType: FireRequest['eventType'], { submission, errorMessage }: Flags, self: Command) => {
      const session = openSession(self, context);
      await requireSandbox(session);
      const submissionId = submission ?? (await simulateSubmission(session));
      const { dispatched } = await session.assay.sandbox.fire(
        { eventType, submissionId, errorMessage },
        { signal: session.signal },
      );
      session.print({ eventType, submissionId, dispatched }, () => {
        const { out } = session;
        const to = `to ${formatCount(dispatched, 'subscription')} and to assay listen`;
        return `${out.paint('✓', 'green')} Sent ${eventType} ${to}.\n${out.paint(`  Submission ${submissionId}.`, 'dim')}`;
      });
    });
}

async function simulateSubmission({ assay, signal }: Session): Promise<string> {
  const text = new Blob(['Sample text for testing webhooks.\n'], { type: 'text/plain' });
  const { blobPath } = await assay.uploads.upload(text, { filename: 'trigger.txt', signal });
  const { submissionId } = await assay.submissions.createAndWait(
    { assets: [{ blobPath }] },
    { simulationDelaySeconds: 0, signal },
  );
  return submissionId;
}
