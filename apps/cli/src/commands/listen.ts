import { randomBytes } from 'node:crypto';
import { formatCount } from '@assay/report/format/format.ts';
import type { Event } from '@assay/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { Failure, failureOf } from '../failure.ts';
import { type ForwardResult, forward } from '../forward.ts';
import { type Output, stripControls } from '../output/output.ts';
import { type Context, openSession, requireSandbox } from '../session.ts';
import { eventTypes as everyType, listOption } from './option-values.ts';

type Flags = { forwardTo: string; eventTypes?: Event['type'][]; secret?: string };

const examples = `
Examples:
  $ assay listen --forward-to http://localhost:3000/webhooks
  $ assay trigger asset.processing.completed        in another terminal: sends a test event

Needs a sandbox key, but receives all events of the workspace, live and sandbox, like a subscription with --mode all.
Each line shows the mode (livemode in the event body). Subscriptions still receive their own deliveries.

Events are POSTed in order and signed like real deliveries. Configure your receiver with the signing secret that is
printed. After a lost connection, forwarding resumes after the last event. If the receiver does not respond, an event
is tried 5 times and then reported as not delivered; any HTTP response counts as delivered. With --json, each event is
one line.`;

export function addListen(program: Command, context: Context): void {
  program
    .command('listen')
    .summary('forward webhook events to a local receiver')
    .description('Forwards all webhook events of the workspace, live and sandbox, to a receiver on your machine.')
    .requiredOption('--forward-to <url>', 'URL of the receiver', parseUrl)
    .addOption(listOption('--event-types <type>', 'only these event types', everyType))
    .option('--secret <secret>', 'signing secret (default: a new one, which is printed)', parseSecret)
    .addHelpText('after', examples)
    .action(async ({ forwardTo, eventTypes, secret = makeSecret() }: Flags, self: Command) => {
      const session = openSession(self, context);
      const { assay, signal, err, out, isJson } = session;
      const me = await requireSandbox(session);
      let openCount = 0;
      let eventCount = 0;
      let undeliveredCount = 0;
      const onOpen = () => {
        openCount += 1;
        if (openCount > 1) return err.line(err.paint('Reconnected; resuming after the last event.', 'dim'));
        err.line(`Forwarding events of workspace ${me.workspaceId} to ${err.paint(forwardTo, 'bold')}.`);
        err.line('All events of the workspace are included, live and sandbox.');
        err.line(`Signing secret: ${err.paint(secret, 'bold')}`);
        err.line(err.paint('Press Ctrl-C to stop.', 'dim'));
      };
      try {
        for await (const event of assay.webhooks.events({ signal, onOpen })) {
          if (eventTypes && !eventTypes.includes(event.type)) continue;
          const forwarded = await forward(event, forwardTo, secret, signal);
          eventCount += 1;
          if (forwarded.status === null) undeliveredCount += 1;
          out.line(isJson ? JSON.stringify({ event, forwarded }) : formatLine(event, forwarded, out));
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        const delivered = formatCount(eventCount - undeliveredCount, 'event');
        const undelivered = undeliveredCount > 0 ? `, ${undeliveredCount} not delivered` : '';
        throw new Failure(failureOf(signal).outcome, `Stopped. ${delivered} forwarded${undelivered}.`);
      }
    });
}

function formatLine(event: Event, { status, durationMs, attemptCount, error }: ForwardResult, output: Output): string {
  const isGood = status !== null && status >= 200 && status < 300;
  const response =
    status === null
      ? output.paint(`not delivered after ${attemptCount} attempts: ${error}`, 'red')
      : output.paint(String(status), isGood ? 'green' : 'red');
  const time = new Date().toTimeString().slice(0, 8);
  const attempts = status !== null && attemptCount > 1 ? `, ${attemptCount} attempts` : '';
  const duration = status === null ? '' : output.paint(` ${durationMs} ms${attempts}`, 'dim');
  const subject = 'asset_id' in event.data ? event.data.asset_id : event.data.submission_id;
  const mode = (event.livemode ? 'live' : 'sandbox').padEnd(7);
  return `${output.paint(time, 'dim')}  ${mode}  ${stripControls(event.type).padEnd(30)}  ${stripControls(subject)}  ${response}${duration}`;
}

function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function parseSecret(text: string): string {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  if (/^whsec_[A-Za-z0-9+/]+=*$/.test(text) && bytes.length >= 24) return text;
  throw new InvalidArgumentError('Expected whsec_ followed by at least 24 bytes in base64.');
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new InvalidArgumentError('Expected a URL, such as http://localhost:3000/webhooks.');
}
