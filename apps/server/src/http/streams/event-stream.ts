import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { realtimePulseSeconds } from '@assay/contract/limits.ts';
import type { StreamMessage, StreamPosition } from '@assay/contract/route.ts';
import type { Log } from '#platform/log.ts';

/** Writes server-sent events no faster than the client reads them, and comments as keep-alive between them. */
export function writeEventStream(
  messages: AsyncIterable<StreamMessage | StreamPosition>,
  signal: AbortSignal,
  log: Log,
): PassThrough {
  const out = new PassThrough();
  const pulse = setInterval(() => {
    if (!out.writableNeedDrain) out.write(':\n\n');
  }, realtimePulseSeconds * 1000);
  out.write('retry: 1000\n\n'); // sends the headers at once, and tells the client when to reconnect
  const pump = async () => {
    for await (const message of messages) {
      const isTaken = out.write(formatMessage(message));
      if (!isTaken) await once(out, 'drain', { signal });
    }
  };
  pump()
    .catch((error) => {
      // A client that reconnects resumes where it stopped. A stream that fails without being aborted is a bug.
      if (!signal.aborted) log.error({ err: error }, 'a stream ended unexpectedly');
    })
    .finally(() => {
      clearInterval(pulse);
      out.end();
    });
  return out;
}

function formatMessage(message: StreamMessage | StreamPosition): string {
  const lines = [`id: ${message.id}`];
  if ('event' in message) lines.push(`event: ${message.event}`, `data: ${JSON.stringify(message.data)}`);
  return `${lines.join('\n')}\n\n`;
}
