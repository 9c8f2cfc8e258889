import type {
  AssetName,
  AssetSeen,
  ClientRequest,
  Event,
  FinalState,
  FinalSubmission,
  Mode,
  Read,
  Receipt,
} from './history.ts';

/** The result of checking an invariant: the number of checked items, and the violations. */
export type Finding = { checked: number; violations: string[] };

/** All requests and responses of one client, in order. */
export type ClientRecord = {
  client: number;
  mode: Mode;
  asked: ClientRequest[];
  created: { submissionId: string; assetIds: string[] } | undefined;
  /** Whether the client's file kills every worker that examines it. */
  isDeadly: boolean;
  wasDeleteAsked: boolean;
  /** Index in `asked` of the acknowledged deletion. */
  deletedAt: number | undefined;
};

/** A history, indexed for the checks. */
export type RunRecord = {
  events: Event[];
  clientRecords: ClientRecord[];
  end: FinalState;
  /** Each client's submissions in the database, by the client's number. */
  rowsOfClient: Map<number, FinalSubmission[]>;
  lastFaultMillis: number;
  endMillis: number;
  receipts: Receipt[];
};

export function readRun(events: Event[]): RunRecord {
  const last = events.findLast((event) => event.op === 'end');
  if (!last) throw new Error('the history has no end');
  const end = last.state;
  const asked = events.filter((event): event is ClientRequest => 'millis' in event && 'client' in event);
  const byClient = Map.groupBy(asked, ({ client }) => client);
  return {
    events,
    clientRecords: [...byClient].map(([client, own]) => recordOf(client, own)),
    end,
    rowsOfClient: Map.groupBy(
      end.submissions.filter(({ client }) => client !== null),
      ({ client }) => client as number,
    ),
    lastFaultMillis: lastFaultOf(events),
    endMillis: last.atMillis,
    receipts: events.filter((event) => event.op === 'receipt'),
  };
}

/** When the last fault ended; a worker killed by a file is a fault too. */
export function lastFaultOf(events: Event[]): number {
  return events.reduce((last, event) => {
    if (event.op === 'fault') return Math.max(last, event.atMillis + event.millis);
    return event.op === 'kill' || isWorkerDeath(event) ? Math.max(last, event.atMillis) : last;
  }, 0);
}

/** Whether a worker died by SIGKILL without a strike, as a deadly file causes it. */
export const isWorkerDeath = (event: Event) =>
  event.op === 'ended by itself' && event.target.startsWith('worker') && event.how.includes('SIGKILL');

function recordOf(client: number, asked: ClientRequest[]): ClientRecord {
  const creates = asked.filter((one) => one.op === 'create');
  const accepted = creates.find(({ status }) => status === 201);
  const deletedAt = asked.findIndex((one) => one.op === 'delete' && [204, 404].includes(one.status));
  return {
    client,
    mode: creates[0]?.mode ?? 'live',
    asked,
    created: accepted?.submissionId
      ? { submissionId: accepted.submissionId, assetIds: accepted.assetIds ?? [] }
      : undefined,
    isDeadly: creates.some(({ isDeadly }) => isDeadly),
    wasDeleteAsked: asked.some(({ op }) => op === 'delete'),
    deletedAt: deletedAt === -1 ? undefined : deletedAt,
  };
}

export const assetNameOf = ({ client }: ClientRecord, { place }: Pick<AssetSeen, 'place'>): AssetName =>
  typeof place === 'number' ? `${client}/${place}` : place;

export const isFinished = (status: string): boolean => status === 'complete' || status === 'failed';

/** The client's reads with a result, in order. */
export function readsOf({ asked }: ClientRecord): (Read & { seen: NonNullable<Read['seen']> })[] {
  return asked.filter((one): one is Read & { seen: NonNullable<Read['seen']> } => one.op === 'read' && !!one.seen);
}
