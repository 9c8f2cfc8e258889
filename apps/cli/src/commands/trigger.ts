import type { Event } from '@assay/sdk';
import type { Command } from 'commander';
import { formatCount } from '../report/format.ts';
import { openSession, requireSandbox, type Session, type Surroundings } from '../session.ts';
import { choiceArgument, eventTypes } from './option-values.ts';

type Flags = { submission?: string; errorMessage?: string };

const examples = `
Examples:
  $ assay trigger asset.processing.completed
  $ assay trigger asset.processing.failed --submission <submissionId> --error-message 'The disk is full'

It needs the sandbox key. Nothing is analysed and nothing fails: the event alone is made, one per asset of the
submission. Without --submission a tiny one is made first.`;

export function addTrigger(program: Command, surroundings: Surroundings): void {
  program
    .command('trigger')
    .summary('fire a webhook event, to try a receiver')
    .description('Fires a webhook event without anything having happened.')
    .addArgument(choiceArgument('<eventType>', 'which', eventTypes))
    .option('--submission <id>', 'fire for this one; left out: for a tiny one that is made')
    .option('--error-message <text>', 'of asset.processing.failed: what it shall say')
    .addHelpText('after', examples)
    .action(async (eventType: Event['type'], { submission, errorMessage }: Flags, self: Command) => {
      const session = openSession(self, surroundings);
      await requireSandbox(session);
      const submissionId = submission ?? (await rehearse(session));
      const { dispatched } = await session.assay.sandbox.fire(
        { eventType, submissionId, errorMessage },
        { signal: session.signal },
      );
      session.show({ eventType, submissionId, dispatched }, () => {
        const { out } = session;
        const to = `to ${formatCount(dispatched, 'subscription')}, and to whoever listens`;
        return `${out.paint('✓', 'green')} Fired ${eventType} ${to}.\n${out.paint(`  For submission ${submissionId}.`, 'dim')}`;
      });
    });
}

async function rehearse({ assay, signal }: Session): Promise<string> {
  const text = new Blob(['A text to try webhooks with.\n'], { type: 'text/plain' });
  const { blobPath } = await assay.uploads.upload(text, { filename: 'trigger.txt', signal });
  const { submissionId } = await assay.submissions.createAndWait(
    { assets: [{ blobPath }] },
    { simulationDelaySeconds: 0, signal },
  );
  return submissionId;
}
