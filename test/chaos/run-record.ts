import type {
  Answered,
  AssetName,
  AssetSeen,
  Event,
  FinalState,
  FinalSubmission,
  Mode,
  Read,
  Receipt,
} from './history.ts';

/** What an invariant says of a run: of how many things it was asked, and where it does not hold. */
export type Finding = { checked: number; violations: string[] };

/** All that one client asked and was answered, in its order. */
export type ClientStory = {
  client: number;
  mode: Mode;
  asked: Answered[];
  created: { submissionId: string; assetIds: string[] } | undefined;
  /** Its file kills each worker that takes it. */
  isDeadly: boolean;
  wasDeleteAsked: boolean;
  /** Where in `asked` the deletion was acknowledged. */
  deletedAt: number | undefined;
};

/** A history put in order for the checks. */
export type RunRecord = {
  events: Event[];
  stories: ClientStory[];
  end: FinalState;
  /** The submission that each client's number stands in. */
  rowsOfClient: Map<number, FinalSubmission[]>;
  lastFaultMillis: number;
  endMillis: number;
  receipts: Receipt[];
};

export function readRun(events: Event[]): RunRecord {
  const last = events.findLast((event) => event.op === 'end');
  if (!last) throw new Error('the history has no end');
  const end = last.state;
  const asked = events.filter((event): event is Answered => 'millis' in event && 'client' in event);
  const byClient = Map.groupBy(asked, ({ client }) => client);
  return {
    events,
    stories: [...byClient].map(([client, own]) => storyOf(client, own)),
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

/** When the last fault was over; a worker that a file kills is one, whenever it comes. */
export function lastFaultOf(events: Event[]): number {
  return events.reduce((last, event) => {
    if (event.op === 'fault') return Math.max(last, event.atMillis + event.millis);
    return event.op === 'kill' || isDeath(event) ? Math.max(last, event.atMillis) : last;
  }, 0);
}

/** The end of a worker that nobody here killed, as a deadly file brings it about. */
export const isDeath = (event: Event) =>
  event.op === 'ended by itself' && event.target.startsWith('worker') && event.how.includes('SIGKILL');

function storyOf(client: number, asked: Answered[]): ClientStory {
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

export const nameOf = ({ client }: ClientStory, { place }: Pick<AssetSeen, 'place'>): AssetName =>
  typeof place === 'number' ? `${client}/${place}` : place;

export const isOver = (status: string): boolean => status === 'complete' || status === 'failed';

/** The reads that showed something, in order. */
export function readsOf({ asked }: ClientStory): (Read & { seen: NonNullable<Read['seen']> })[] {
  return asked.filter((one): one is Read & { seen: NonNullable<Read['seen']> } => one.op === 'read' && !!one.seen);
}
