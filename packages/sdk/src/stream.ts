import type { Call } from './call.ts';
import { ConnectionError } from './errors.ts';

export type Message = { event: string; data: unknown };
/** Where a stream is: the next connection goes on from there. A ticket opens it in place of a key. */
export type Cursor = { lastEventId?: string; ticket?: string };

/** The service gives a sign of life every 15 s; a connection that is silent for longer than this is dead. */
const silenceMsMax = 45_000;
/** The head of a stream is sent at once; one that does not come is held back by something in between. */
const headMsMax = 15_000;

/** The messages of one connection, until it ends or breaks. */
export async function* messagesOf(
  call: Call,
  channel: string,
  cursor: Cursor,
  signal?: AbortSignal,
  onOpen?: () => void,
): AsyncGenerator<Message, void> {
  const headers = cursor.lastEventId === undefined ? {} : { 'last-event-id': cursor.lastEventId };
  const options = { headers, signal, maxRetries: 0, timeoutMs: headMsMax };
  const stream = await call('openRealtime', { params: [], query: { channel, ticket: cursor.ticket } }, options);
  if (!stream) return; // 204: there is nothing more to see
  onOpen?.();
  const reader = stream.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', leave, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      signal?.throwIfAborted();
      const piece = await withinSilence(reader).catch((cause) => {
        throw new ConnectionError('The stream broke off.', { cause });
      });
      signal?.throwIfAborted();
      if (piece.done) return;
      const blocks = (text + decoder.decode(piece.value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const { id, message } = readBlock(block);
        if (message) yield message;
        // Only now: what was not taken is sent again.
        if (id !== undefined) cursor.lastEventId = id;
      }
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

async function withinSilence(reader: ReadableStreamDefaultReader<Uint8Array>) {
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

/** Lines of `field: value`. An id without data says where the stream stands; comments alone are a sign of life. */
function readBlock(block: string): { id: string | undefined; message: Message | undefined } {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    fields[name] = value;
  }
  const { id, event = '', data } = fields;
  return { id, message: data === undefined ? undefined : { event, data: JSON.parse(data) } };
}
