import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { realtimePulseSeconds } from '@assay/contract/limits.ts';
import type { StreamMessage, StreamPlace } from '@assay/contract/route.ts';

/** Server-sent events, at the pace at which the client reads them, with a sign of life while there are none. */
export function writeEventStream(
  messages: AsyncIterable<StreamMessage | StreamPlace>,
  signal: AbortSignal,
): PassThrough {
  const out = new PassThrough();
  const pulse = setInterval(() => {
    if (!out.writableNeedDrain) out.write(':\n\n');
  }, realtimePulseSeconds * 1000);
  out.write('retry: 1000\n\n'); // sends the head at once, and says how soon to come back
  const pump = async () => {
    for await (const message of messages) {
      const isTaken = out.write(blockOf(message));
      if (!isTaken) await once(out, 'drain', { signal });
    }
  };
  pump()
    .catch(() => {}) // cut off: a client that comes back goes on where it was
    .finally(() => {
      clearInterval(pulse);
      out.end();
    });
  return out;
}

function blockOf(message: StreamMessage | StreamPlace): string {
  const lines = [`id: ${message.id}`];
  if ('event' in message) lines.push(`event: ${message.event}`, `data: ${JSON.stringify(message.data)}`);
  return `${lines.join('\n')}\n\n`;
}
