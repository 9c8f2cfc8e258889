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

const paths = ['/first', '/second', '/flaky'];
const attemptsMax = 10;

export type Run = { events: Event[]; end: FinalState; webhooks: FinalWebhooks; receipts: Receipt[] };

/**
 * A run without violations: one simulated asset, one asset that failed and then completed, and one that was deleted
 * after its event was sent. The flaky subscription refused every delivery of the first event, and only the first
 * delivery of the second one.
 */
export function cleanRun(): Run {
  const webhooks: FinalWebhooks = {
    paths,
    scheduleMillisMax: 30_000,
    events: [event('event-2-1', 1, 'failed'), event('event-2-2', 2, 'complete')],
    deliveries: [
      delivery('event-2-1', '/first', ['200']),
      delivery('event-2-1', '/second', ['connect', '200']),
      { ...delivery('event-2-1', '/flaky', Array(attemptsMax).fill('500')), status: 'failed' },
      ...paths.slice(0, 2).map((path) => delivery('event-2-2', path, ['200'])),
      delivery('event-2-2', '/flaky', ['500', '200']),
    ],
  };
  const receipts = [
    receipt('event-2-1', '/first', 200),
    receipt('event-2-1', '/second', 200),
    ...Array.from({ length: attemptsMax }, () => receipt('event-2-1', '/flaky', 500)),
    ...paths.slice(0, 2).map((path) => receipt('event-2-2', path, 200)),
    receipt('event-2-2', '/flaky', 500),
    receipt('event-2-2', '/flaky', 200),
    receipt('event-3-1', '/first', 200),
    { ...receipt('event-3-1', '/second', 200), look: { status: 404, tries: 1 } },
  ];
  const end: FinalState = {
    submissions: [row(1, 'sandbox', 1), row(2, 'live', 2)],
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
    created(1, 'sandbox'),
    created(2, 'live'),
    created(3, 'live'),
    { ...asked(3, 200), op: 'read', seen: { status: 'complete', progressPercent: 100, assets: [asset] } },
    { atMillis: 1000, op: 'kill', target: 'worker-1', signal: 'SIGKILL', pid: 7 },
    ...receipts,
    { ...asked(3, 204), op: 'delete' },
    { atMillis: 200_000, op: 'end', state: end },
  ];
  return { events, end, webhooks, receipts };
}

export const asked = (client: number, status: number, code?: string) => ({
  atMillis: 500,
  millis: 3,
  client,
  status,
  ...(code && { code }),
});
export const created = (client: number, mode: 'live' | 'sandbox'): Create => ({
  ...asked(client, 201),
  op: 'create',
  mode,
  submissionId: `submission-${client}`,
  assetIds: [`asset-${client}`],
});
export const row = (client: number, mode: 'live' | 'sandbox', attempt: number): FinalSubmission => ({
  submissionId: `submission-${client}`,
  client,
  mode,
  status: 'complete',
  endedAtMillis: 2000,
  assets: [{ asset: `${client}/0`, status: 'complete', attempt, hasBlob: true }],
});
export const event = (eventId: string, attempt: number, status: string): FinalEvent => ({
  eventId,
  submissionId: 'submission-2',
  asset: '2/0',
  attempt,
  status,
  livemode: true,
  bodySha256: `hash of ${eventId}`,
  atMillis: 1500,
});
export const delivery = (eventId: string, path: string, attempts: string[]): FinalDelivery => ({
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
 * The receipt of an event whose id names client and attempt: `event-2-1` is attempt 1 of client 2, the only attempt
 * that failed.
 */
export function receipt(eventId: string, path: string, answered: number): Receipt {
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
