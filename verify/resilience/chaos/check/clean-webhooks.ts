import type {
  Create,
  Event,
  FinalDelivery,
  FinalEvent,
  FinalState,
  FinalSubmission,
  FinalWebhooks,
  Receipt,
} from './history.ts';

const receiverPaths = ['/first', '/second', '/flaky'];
const attemptsMax = 10;

export type WebhookTestRun = { events: Event[]; end: FinalState; webhooks: FinalWebhooks; receipts: Receipt[] };

/**
 * A run without violations: one simulated asset, one asset that failed and then completed, and one that was deleted
 * after its event was sent. The flaky subscription refused every delivery of the first event, and only the first
 * delivery of the second one.
 */
export function cleanRun(): WebhookTestRun {
  const webhooks: FinalWebhooks = {
    paths: receiverPaths,
    scheduleMillisMax: 30_000,
    events: [finalEvent('event-2-1', 1, 'failed'), finalEvent('event-2-2', 2, 'complete')],
    deliveries: [
      finalDelivery('event-2-1', '/first', ['200']),
      finalDelivery('event-2-1', '/second', ['connect', '200']),
      { ...finalDelivery('event-2-1', '/flaky', Array(attemptsMax).fill('500')), status: 'failed' },
      ...receiverPaths.slice(0, 2).map((path) => finalDelivery('event-2-2', path, ['200'])),
      finalDelivery('event-2-2', '/flaky', ['500', '200']),
    ],
  };
  const receipts = [
    makeReceipt('event-2-1', '/first', 200),
    makeReceipt('event-2-1', '/second', 200),
    ...Array.from({ length: attemptsMax }, () => makeReceipt('event-2-1', '/flaky', 500)),
    ...receiverPaths.slice(0, 2).map((path) => makeReceipt('event-2-2', path, 200)),
    makeReceipt('event-2-2', '/flaky', 500),
    makeReceipt('event-2-2', '/flaky', 200),
    makeReceipt('event-3-1', '/first', 200),
    { ...makeReceipt('event-3-1', '/second', 200), look: { status: 404, tries: 1 } },
  ];
  const end: FinalState = {
    submissions: [finalSubmission(1, 'sandbox', 1), finalSubmission(2, 'live', 2)],
    credits: [],
    creditsUsed: 0,
    runsWaiting: 0,
    storedBlobs: 0,
    orphanBlobs: [],
    scratchFiles: [],
    processesEnded: 0,
    orphanProcesses: [],
    webhooks,
  };
  const asset = { place: 0, status: 'complete', attempt: 1, progressPercent: 100 };
  const events: Event[] = [
    createRequest(1, 'sandbox'),
    createRequest(2, 'live'),
    createRequest(3, 'live'),
    { ...requestFields(3, 200), op: 'read', seen: { status: 'complete', progressPercent: 100, assets: [asset] } },
    { atMillis: 1000, op: 'kill', target: 'worker-1', signal: 'SIGKILL', pid: 7 },
    ...receipts,
    { ...requestFields(3, 204), op: 'delete' },
    { atMillis: 200_000, op: 'end', state: end },
  ];
  return { events, end, webhooks, receipts };
}

export const requestFields = (client: number, status: number, code?: string) => ({
  atMillis: 500,
  millis: 3,
  client,
  status,
  ...(code && { code }),
});
export const createRequest = (client: number, mode: 'live' | 'sandbox'): Create => ({
  ...requestFields(client, 201),
  op: 'create',
  mode,
  submissionId: `submission-${client}`,
  assetIds: [`asset-${client}`],
});
export const finalSubmission = (client: number, mode: 'live' | 'sandbox', attempt: number): FinalSubmission => ({
  submissionId: `submission-${client}`,
  client,
  mode,
  status: 'complete',
  endedAtMillis: 2000,
  assets: [{ asset: `${client}/0`, status: 'complete', attempt, hasBlob: true }],
});
export const finalEvent = (eventId: string, attempt: number, status: string): FinalEvent => ({
  eventId,
  submissionId: 'submission-2',
  asset: '2/0',
  attempt,
  status,
  livemode: true,
  bodySha256: `hash of ${eventId}`,
  atMillis: 1500,
});
export const finalDelivery = (eventId: string, path: string, attempts: string[]): FinalDelivery => ({
  eventId,
  submissionId: 'submission-2',
  path,
  status: 'succeeded',
  attemptsMax,
  attempts,
  createdAtMillis: 1500,
  endedAtMillis: 3000,
});

/**
 * Makes the receipt of an event whose id names the client and the attempt: `event-2-1` is about attempt 1 of client 2,
 * the only attempt that failed.
 */
export function makeReceipt(eventId: string, path: string, answered: number): Receipt {
  const [, client, attempt] = eventId.split('-');
  const settled = { status: eventId === 'event-2-1' ? 'failed' : 'complete', attempt: Number(attempt) };
  return {
    atMillis: 2000,
    op: 'receipt',
    path,
    eventId,
    bodySha256: `hash of ${eventId}`,
    isSigned: true,
    told: { submissionId: `submission-${client}`, assetId: `asset-${client}`, livemode: true, ...settled },
    answered,
    look: { status: 200, tries: 1, asset: settled },
  };
}
