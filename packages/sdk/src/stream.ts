import type { Call } from './call.ts';
import { ConnectionError } from './errors.ts';

export type Message = { event: string; data: unknown };
/** The position in a stream, from which the next connection resumes. A ticket replaces the API key. */
export type Cursor = { lastEventId?: string; ticket?: string };

/** The service sends a keep-alive every 15 s; a connection that is silent for longer than this is lost. */
const silenceMsMax = 45_000;
/** The service sends the headers of a stream immediately; if they do not arrive, a proxy is buffering it. */
const headersTimeoutMs = 15_000;

/** Reads the messages of one connection until it ends or is lost. */
export async function* readMessages(
  call: Call,
  channel: string,
  cursor: Cursor,
  signal?: AbortSignal,
  onOpen?: () => void,
): AsyncGenerator<Message, void> {
  const headers = cursor.lastEventId === undefined ? {} : { 'last-event-id': cursor.lastEventId };
  const options = { headers, signal, maxRetries: 0, timeoutMs: headersTimeoutMs };
  const stream = await call('openRealtime', { params: [], query: { channel, ticket: cursor.ticket } }, options);
  if (!stream) return; // 204: the stream has ended
  onOpen?.();
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      signal?.throwIfAborted();
      const chunk = await readWithTimeout(reader).catch((cause) => {
        throw new ConnectionError('The stream was interrupted.', { cause });
      });
      signal?.throwIfAborted();
      if (chunk.done) return;
      const blocks = (text + decoder.decode(chunk.value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const { id, message } = readBlock(block);
        if (message) yield message;
        // Set after the yield, so that a message that was not consumed is sent again.
        if (id !== undefined) cursor.lastEventId = id;
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

async function readWithTimeout(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<{ done: true; value?: undefined }>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), silenceMsMax);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Parses lines of `field: value`. An id without data is a new position; comments alone are keep-alives. */
function readBlock(block: string): { id: string | undefined; message: Message | undefined } {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    fields[name] = value;
  }
  const { id, event = '', data } = fields;
  return { id, message: data === undefined ? undefined : { event, data: JSON.parse(data) } };
}
