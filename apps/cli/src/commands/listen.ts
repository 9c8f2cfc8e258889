import { randomBytes } from 'node:crypto';
import type { Event } from '@assay/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure } from '../failure.ts';
import { type Forwarded, forward } from '../forward.ts';
import { type Output, plain } from '../output.ts';
import { formatCount } from '../report/format.ts';
import { openSession, requireSandbox, type Surroundings } from '../session.ts';
import { eventTypes as everyType, listOption } from './option-values.ts';

type Flags = { forwardTo: string; eventTypes?: Event['type'][]; secret?: string };

const examples = `
Examples:
  $ assay listen --forward-to http://localhost:3000/webhooks
  $ assay trigger asset.processing.completed        in another terminal: something to receive

It needs the sandbox key, but shows every event of the workspace, live and sandbox, as a subscription with --mode all
would receive it. Each line says which of the two it is; in the body of the event it is livemode. Subscriptions still
receive their own deliveries.

Events are POSTed in order, signed as the service signs, with a secret of its own; give the printed one to your receiver.
Lost connections are resumed where they broke. A receiver that does not answer is tried 5 times, then reported; one that
answers, whatever it says, is not tried again. With --json: one document per line and event.`;

export function addListen(program: Command, surroundings: Surroundings): void {
  program
    .command('listen')
    .summary('bring webhook events to a receiver on this machine')
    .description(
      'Receives every webhook event of the workspace, live and sandbox, and forwards it to a receiver in development.',
    )
    .requiredOption('--forward-to <url>', 'where to POST them', urlOf)
    .addOption(listOption('--event-types <type>', 'only these', everyType))
    .option('--secret <secret>', 'sign with this one; left out: one is made and printed', secretOf)
    .addHelpText('after', examples)
    .action(async ({ forwardTo, eventTypes, secret = newSecret() }: Flags, self: Command) => {
      const session = openSession(self, surroundings);
      const { assay, signal, err, out, isJson } = session;
      const me = await requireSandbox(session);
      let openCount = 0;
      let eventCount = 0;
      let lostCount = 0;
      const onOpen = () => {
        openCount += 1;
        if (openCount > 1) return err.line(err.paint('Connected again, going on where it broke.', 'dim'));
        err.line(`Listening to workspace ${me.workspaceId}, forwarding to ${err.paint(forwardTo, 'bold')}.`);
        err.line('Every event of the workspace is shown, live and sandbox.');
        err.line(`Secret of the receiver: ${err.paint(secret, 'bold')}`);
        err.line(err.paint('Ctrl-C ends it.', 'dim'));
      };
      try {
        for await (const event of assay.webhooks.events({ signal, onOpen })) {
          if (eventTypes && !eventTypes.includes(event.type)) continue;
          const forwarded = await forward(event, forwardTo, secret, signal);
          eventCount += 1;
          if (forwarded.status === null) lostCount += 1;
          out.line(isJson ? JSON.stringify({ event, forwarded }) : formatLine(event, forwarded, out));
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        const lost = lostCount > 0 ? `, ${lostCount} of them to nobody` : '';
        throw new Failure('interrupted', `Ended. ${formatCount(eventCount, 'event')} forwarded${lost}.`);
      }
    });
}

function formatLine(event: Event, { status, durationMs, attemptCount, error }: Forwarded, output: Output): string {
  const isGood = status !== null && status >= 200 && status < 300;
  const answer =
    status === null
      ? output.paint(`not delivered after ${attemptCount} tries: ${error}`, 'red')
      : output.paint(String(status), isGood ? 'green' : 'red');
  const time = new Date().toTimeString().slice(0, 8);
  const tries = status !== null && attemptCount > 1 ? `, ${attemptCount} tries` : '';
  const duration = status === null ? '' : output.paint(` ${durationMs} ms${tries}`, 'dim');
  const mode = (event.livemode ? 'live' : 'sandbox').padEnd(7);
  return `${output.paint(time, 'dim')}  ${mode}  ${plain(event.type).padEnd(26)}  ${plain(event.data.asset_id)}  ${answer}${duration}`;
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function secretOf(text: string): string {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  if (/^whsec_[A-Za-z0-9+/]+=*$/.test(text) && bytes.length >= 24) return text;
  throw new InvalidArgumentError('A secret is whsec_ and the base64 of at least 24 bytes.');
}

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new InvalidArgumentError('It must be a web address, such as http://localhost:3000/webhooks.');
}
