import { prefixes } from '@assay/contract/route.ts';

// Tests read data of any shape.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Message = { id: string; event: string; data: any };

export type Stream = {
  status: number;
  headers: Headers;
  /** The messages until the stream ends or the connection breaks. */
  messages: AsyncIterable<Message>;
  /** The last event id received. A stream sends one even before its first message. */
  lastId(): string | undefined;
  leave(): void;
};

/** Opens the event stream of a channel as a caller does. */
export async function follow(baseUrl: string, key: string, channel: string, lastEventId?: string): Promise<Stream> {
  const controller = new AbortController();
  const response = await fetch(`${baseUrl}${prefixes[0]}/realtime?channel=${channel}`, {
    headers: { 'x-api-key': key, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: controller.signal,
  });
  let lastId = lastEventId;
  const onId = (id: string) => {
    lastId = id;
  };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    messages: isStream && response.body ? messagesOf(response.body, onId) : none(),
    lastId: () => lastId,
    leave: () => controller.abort(),
  };
}

async function* none(): AsyncGenerator<Message> {}

async function* messagesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onId: (id: string) => void,
): AsyncGenerator<Message> {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if (fields.id) onId(fields.id);
      if (fields.data) yield { id: fields.id ?? '', event: fields.event ?? '', data: JSON.parse(fields.data) };
    }
  }
}

/**
 * Follows a channel like a client that reconnects: whenever the stream breaks, it continues with `Last-Event-ID` at the
 * next address, until the service responds with 204 or the signal is aborted. Returns all messages.
 */
export async function followToTheEnd(
  addresses: () => string[],
  key: string,
  channel: string,
  { signal, onMessage = () => {} }: { signal?: AbortSignal; onMessage?(message: Message): void } = {},
): Promise<Message[]> {
  const seen: Message[] = [];
  let stream: Stream | undefined;
  for (let connectionCount = 0; !signal?.aborted; connectionCount++) {
    try {
      const urls = addresses();
      stream = await follow(urls[connectionCount % urls.length] as string, key, channel, stream?.lastId());
      signal?.addEventListener('abort', stream.leave);
      if (stream.status === 204) return seen;
      for await (const message of stream.messages) {
        seen.push(message);
        onMessage(message);
      }
    } catch {
      // The service is down or the connection broke. The next connection continues from here.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return seen;
}
