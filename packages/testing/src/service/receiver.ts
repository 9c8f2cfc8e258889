import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../run/listen.ts';

export type ReceivedRequest = {
  path: string;
  headers: Record<string, string>;
  body: string;
  receivedAt: number;
  // Tests read events of any shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  event: any;
};
type Answer = (received: ReceivedRequest, response: ServerResponse, request: IncomingMessage) => unknown;

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A webhook receiver: a real server on loopback that records requests and responds as configured. */
export async function openReceiver(answer: Answer = (_, response) => response.end()) {
  const received: ReceivedRequest[] = [];
  let answerNow = answer;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const headers = request.headers as Record<string, string>;
    const one = { path: request.url ?? '', headers, body, receivedAt: Date.now(), event: JSON.parse(body) };
    received.push(one);
    await answerNow(one, response, request);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerWith(next: Answer) {
      answerNow = next;
    },
    /** Resolves with all matching requests once there are this many. */
    async until(
      count: number,
      isMatch: (one: ReceivedRequest) => boolean = () => true,
      secondsMax = 20,
    ): Promise<ReceivedRequest[]> {
      for (const deadline = Date.now() + secondsMax * 1000; Date.now() < deadline; await sleep(20)) {
        const matching = received.filter(isMatch);
        if (matching.length >= count) return matching;
      }
      throw new Error(`${received.filter(isMatch).length} of ${count} received within ${secondsMax} s`);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
