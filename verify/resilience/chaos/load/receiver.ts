import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Event, firedEventTypes } from '@assay/contract/schemas/event.ts';
import { listen } from '@assay/testing/run/listen.ts';
import { Webhook } from 'standardwebhooks';
import type { AssetRead, ReportedAttempt } from '../check/history.ts';
import type { Address } from './client.ts';
import { isUndecided, sendRequest } from './send-request.ts';

const flaky = '/flaky';
/** The paths at the receiver; each has one subscription. */
export const receiverPaths = ['/first', '/second', flaky] as const;

const readMillisMax = 3000;
const readAgainMillis = 200;

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/**
 * Receives webhooks at three paths, one of which is unreliable. Records every request, and the state of the asset when
 * read at once.
 */
export async function openReceiver(address: Address) {
  const { history } = address;
  const webhooks = new Map<string, Webhook>();
  const requestCounts = new Map<string, number>();
  const underWay = new Set<Promise<void>>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const atMillis = history.nowMillis();
    const path = request.url ?? '';
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) return; // the sender was killed before the end of the body
    const headers = request.headers as Record<string, string>;
    const eventId = headers['webhook-id'] ?? '';
    const { told, breach } = readEvent(eventId, body);
    const reading = told && readAsset(address, told);
    const isSigned = isSignatureValid(webhooks.get(path), body, headers);
    const timesBefore = requestCounts.get(path + eventId) ?? 0;
    requestCounts.set(path + eventId, timesBefore + 1);
    const answered = path === flaky ? answerUnreliably(eventId, timesBefore) : 200;
    if (answered === 0) request.socket.destroy();
    else response.writeHead(answered).end();
    const look = await reading;
    history.record({
      atMillis,
      op: 'receipt',
      path,
      eventId,
      bodySha256: createHash('sha256').update(body).digest('hex'),
      isSigned,
      ...(told && { told }),
      ...(breach && { breach }),
      answered,
      ...(look && { look }),
    });
  };
  const server = createServer((request, response) => {
    const one: Promise<void> = handle(request, response).finally(() => underWay.delete(one));
    underWay.add(one);
  });
  const port = await listen(server);

  return {
    /** Must be called before the first event. */
    async subscribe(): Promise<void> {
      for (const path of receiverPaths) {
        const json = { url: `http://127.0.0.1:${port}${path}`, eventTypes: firedEventTypes };
        const options = { method: 'POST', path: '/webhooks/subscriptions', apiKey: address.keys.live, json };
        const { status, body } = await sendRequest(address.nextUrl(), options);
        if (status !== 201) throw new Error(`the subscription was answered with ${status} ${JSON.stringify(body)}`);
        webhooks.set(path, new Webhook(body.secret));
      }
    },
    /** Resolves once every received request is recorded. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Determined by the event's id: of 64 events, 1 is always refused, 16 are refused once, and 8 are cut off once. */
export function answerUnreliably(eventId: string, timesBefore: number): number {
  const slot = (createHash('sha256').update(eventId).digest()[0] ?? 0) % 64;
  if (slot === 0) return 500;
  if (timesBefore > 0) return 200;
  if (slot <= 16) return 500;
  return slot <= 24 ? 0 : 200;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function readEvent(eventId: string, body: string): { told?: ReportedAttempt; breach?: string } {
  try {
    const event = Event.parse(JSON.parse(body));
    const { id, livemode } = event;
    if (id !== eventId) return { breach: `the id in the body is ${id}` };
    // Subscribed is only to what is about the end of an attempt.
    if (event.type !== 'asset.processing.completed' && event.type !== 'asset.processing.failed')
      return { breach: `its type is ${event.type}` };
    const { data } = event;
    const { submission_id: submissionId, asset_id: assetId, status } = data;
    return { told: { submissionId, assetId, attempt: data.retry_count + 1, status, livemode } };
  } catch (error) {
    return { breach: (error as Error).message.slice(0, 500) };
  }
}

function isSignatureValid(webhook: Webhook | undefined, body: string, headers: Record<string, string>): boolean {
  try {
    webhook?.verify(body, headers);
    return webhook !== undefined;
  } catch {
    return false;
  }
}

/** Reads the asset of an event. While the API is down, repeats the request for a few seconds. */
async function readAsset(
  { nextUrl, keys }: Address,
  { submissionId, assetId }: ReportedAttempt,
): Promise<AssetRead | undefined> {
  const options = { method: 'GET', path: `/submissions/${submissionId}/assets/${assetId}`, apiKey: keys.live };
  const deadline = performance.now() + readMillisMax;
  for (let tries = 1; performance.now() < deadline; tries++, await sleep(readAgainMillis)) {
    const outcome = await sendRequest(nextUrl(), options);
    if (isUndecided(outcome) && !outcome.breach) continue;
    const { status, body, breach } = outcome;
    const asset = status === 200 && !breach ? { status: body.status, attempt: body.retryCount + 1 } : undefined;
    return { status, tries, ...(asset && { asset }), ...(breach && { breach }) };
  }
  return undefined;
}
