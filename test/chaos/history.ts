import { createWriteStream, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Strike, Target } from './schedule.ts';

/** One asset as a poller saw it; `place` is where it stands in the answer to the creation. */
export type AssetSeen = {
  place: number | string;
  status: string;
  attempt: number;
  progressPercent: number;
  /** Of a settled one: `complete, 3 issues` or `failed, cancelled`. */
  outcome?: string;
};
type Seen = { status: string; progressPercent: number; assets: AssetSeen[] };

/** What a client asked and was answered. Its requests come one after the other. */
type Asked = {
  atMillis: number;
  millis: number;
  client: number;
  /** 0: no answer came, and whether anything was done is not known. */
  status: number;
  /** The refusal's code, or why no answer came. */
  code?: string;
  /** What the contract has against this answer. */
  breach?: string;
};

export type Mode = 'live' | 'sandbox';
type Upload = Asked & { op: 'upload' | 'sign' | 'put' };
export type Create = Asked & {
  op: 'create';
  mode: Mode;
  submissionId?: string;
  assetIds?: string[];
  /** Its file kills each worker that takes it. */
  isDeadly?: true;
};
/** A read that saw the same as the one before is only counted, at the next that is written down. */
export type Read = Asked & { op: 'read'; seen?: Seen; sameBefore?: number };
export type Retry = Asked & { op: 'retry'; place: number };
type Command = Asked & { op: 'cancel' | 'delete' };
/** The issues of a completed asset in full. */
export type Issues = Asked & {
  op: 'issues';
  place: number;
  filename: string;
  /** Of everything that is said of them. */
  issuesSha256?: string;
  /** The same without ids and times, so that it is equal for every asset with these bytes. */
  findingsSha256?: string;
  ruleCodes?: string[];
};
export type Answered = Upload | Create | Read | Retry | Command | Issues;

/** The attempt at an asset that an event tells of, and how it ended. */
export type Told = { submissionId: string; assetId: string; attempt: number; status: string; livemode: boolean };
/** What whoever was told of it saw, the first time that somebody answered. */
export type Look = {
  status: number;
  /** How often it was asked: 1 is at once. */
  tries: number;
  asset?: { status: string; attempt: number };
  breach?: string;
};

/** One request to the receiver of webhooks. */
export type Receipt = {
  atMillis: number;
  op: 'receipt';
  path: string;
  eventId: string;
  bodySha256: string;
  isSigned: boolean;
  /** None where the body is no event; then the breach says why. */
  told?: Told;
  breach?: string;
  /** 0: the connection was cut instead. */
  answered: number;
  /** None where nobody answered. */
  look?: Look;
};

/** `7/0` is the first asset of client 7; one that no client knows of goes by its id. */
export type AssetName = string;

type FinalAsset = { asset: AssetName; status: string; attempt: number; errorType?: string; hasBlob: boolean };
export type FinalSubmission = {
  submissionId: string;
  /** Whose it is by its metadata. */
  client: number | null;
  mode: Mode;
  status: string;
  endedAtMillis: number | null;
  assets: FinalAsset[];
};

export type FinalEvent = {
  eventId: string;
  submissionId: string;
  asset: AssetName;
  attempt: number;
  status: string;
  livemode: boolean;
  bodySha256: string;
  atMillis: number;
};
export type FinalDelivery = {
  eventId: string;
  submissionId: string;
  path: string;
  status: string;
  attemptsMax: number;
  /** Of each attempt on record: `200`, `500`, or the code of what went wrong before there was a status. */
  attempts: string[];
  createdAtMillis: number;
  endedAtMillis: number | null;
};
export type FinalWebhooks = {
  /** Where the receiver subscribed. */
  paths: string[];
  /** How long a delivery takes whose attempts all fail. */
  scheduleMillisMax: number;
  events: FinalEvent[];
  deliveries: FinalDelivery[];
};

/** What lies where when all is over: the database, storage, the scratch folder, the table of processes. */
export type FinalState = {
  submissions: FinalSubmission[];
  credits: { asset: AssetName; attempt: number; credits: number }[];
  /** As the service itself says. */
  creditsUsed: number;
  /** To be started, or to be cancelled. */
  runsWaiting: number;
  storedBlobs: number;
  /** In storage, although the database knows nothing of them or of nobody who uses them. */
  orphanBlobs: string[];
  scratchFiles: string[];
  processesEnded: number;
  orphanProcesses: string[];
  /** None where nobody had subscribed. */
  webhooks?: FinalWebhooks;
};

export type Event =
  | Answered
  | Receipt
  | { atMillis: number; op: 'give up'; client: number; what: string }
  | { atMillis: number; op: 'phase'; name: string; perSecond?: number }
  | { atMillis: number; op: 'kill'; target: Target; signal: string; pid: number }
  | { atMillis: number; op: 'fault'; kind: Strike['kind']; millis: number; target?: string; count?: number }
  | { atMillis: number; op: 'ended by itself'; target: Target; how: string }
  | { atMillis: number; op: 'up'; target: Target; millis: number }
  | { atMillis: number; op: 'end'; state: FinalState };

export type History = {
  events: Event[];
  nowMillis(): number;
  record(event: Event): void;
  close(): Promise<void>;
};

/** Every event at once in memory, for the checker, and in a file of JSON lines, for whoever looks into it later. */
export function openHistory(file: string): History {
  const begin = performance.now();
  const events: Event[] = [];
  const stream = createWriteStream(file);
  return {
    events,
    nowMillis: () => Math.round(performance.now() - begin),
    record(event) {
      events.push(event);
      stream.write(`${JSON.stringify(event)}\n`);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}

/** A history as it was kept, compressed or not. */
export function readHistory(file: string): Event[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
