import { createWriteStream, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Storage } from '@assay/stack/instance.ts';
import type { LoadLimits } from '../load/load.ts';
import type { Part, Strike, Target } from '../load/schedule.ts';

/** One asset as a client saw it when polling; `place` is its position in the response to the creation. */
export type AssetSeen = {
  place: number | string;
  status: string;
  attempt: number;
  progressPercent: number;
  /** Set once the asset is settled: `complete, 3 issues` or `failed, cancelled`. */
  outcome?: string;
};
type Seen = { status: string; progressPercent: number; assets: AssetSeen[] };

/** A client's request and its response. A client sends one request at a time. */
type RequestBase = {
  atMillis: number;
  millis: number;
  client: number;
  /** 0 if there was no response, so it is unknown whether the request took effect. */
  status: number;
  /** The error code, or why there was no response. */
  code?: string;
  /** How the response violates the contract. */
  breach?: string;
};

export type Mode = 'live' | 'sandbox';
type Upload = RequestBase & { op: 'upload' | 'sign' | 'put' };
export type Create = RequestBase & {
  op: 'create';
  mode: Mode;
  submissionId?: string;
  assetIds?: string[];
  /** Set if the file kills every worker that examines it. */
  isDeadly?: true;
};
/** A read with an unchanged result is not recorded; `sameBefore` of the next recorded read counts it. */
export type Read = RequestBase & { op: 'read'; seen?: Seen; sameBefore?: number };
export type Retry = RequestBase & { op: 'retry'; place: number };
type Command = RequestBase & { op: 'cancel' | 'delete' };
/** A request for all issues of a completed asset. */
export type Issues = RequestBase & {
  op: 'issues';
  place: number;
  filename: string;
  /** Digest of all fields of the issues. */
  issuesSha256?: string;
  /** Digest without ids and times, equal for every asset with the same bytes. */
  findingsSha256?: string;
  ruleCodes?: string[];
};
export type ClientRequest = Upload | Create | Read | Retry | Command | Issues;

/** The attempt that an event is about, and its outcome. */
export type ReportedAttempt = {
  submissionId: string;
  assetId: string;
  attempt: number;
  status: string;
  livemode: boolean;
};
/** What the receiver read about the asset of an event, in the first response that it got. */
export type AssetRead = {
  status: number;
  /** The number of requests made; 1 means that the first got a response. */
  tries: number;
  asset?: { status: string; attempt: number };
  breach?: string;
};

/** One request to the webhook receiver. */
export type Receipt = {
  atMillis: number;
  op: 'receipt';
  path: string;
  eventId: string;
  bodySha256: string;
  isSigned: boolean;
  /** Missing if the body is not an event; then `breach` says why. */
  told?: ReportedAttempt;
  breach?: string;
  /** The status that the receiver sent, or 0 if it closed the connection instead. */
  answered: number;
  /** Missing if the receiver got no response. */
  look?: AssetRead;
};

/** `7/0` is the first asset of client 7; an asset that no client knows has its id. */
export type AssetName = string;

type FinalAsset = { asset: AssetName; status: string; attempt: number; errorType?: string; hasBlob: boolean };
export type FinalSubmission = {
  submissionId: string;
  /** The client's number, from the metadata of the submission. */
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
  /** For each recorded attempt: `200`, `500`, or the code of a failure without a status. */
  attempts: string[];
  createdAtMillis: number;
  endedAtMillis: number | null;
};
export type FinalWebhooks = {
  /** Paths at the receiver, each with one subscription. */
  paths: string[];
  /** The longest that a delivery takes if all its attempts fail. */
  scheduleMillisMax: number;
  events: FinalEvent[];
  deliveries: FinalDelivery[];
};

/** The final state of the database, storage, the scratch folder and the process table. */
export type FinalState = {
  submissions: FinalSubmission[];
  credits: { asset: AssetName; attempt: number; credits: number }[];
  /** The sum of credits that the service reports. */
  creditsUsed: number;
  /** Number of workflow runs that are still to be started or cancelled. */
  runsWaiting: number;
  storedBlobs: number;
  /** Blobs in storage that the database does not know or that are no longer used. */
  orphanBlobs: string[];
  scratchFiles: string[];
  processesEnded: number;
  orphanProcesses: string[];
  /** Missing in a run without webhook subscriptions. */
  webhooks?: FinalWebhooks;
};

/** The settings of a run, for its verdict. */
export type Setting = {
  /** `full` or `webhooks`. */
  variant: string;
  storage: Storage;
  seed: number;
  part: Part;
  date: string;
  machine: string;
  /** Load limits for real files and for sandbox submissions. */
  live: LoadLimits;
  sandbox: LoadLimits;
  /** The number of strikes in this part of the schedule. */
  strikes: { planned: number; done: number };
  counts: Record<string, number>;
};

export type Event =
  | ClientRequest
  | Receipt
  | { atMillis: number; op: 'give up'; client: number; what: string }
  | { atMillis: number; op: 'phase'; name: string; perSecond?: number }
  | { atMillis: number; op: 'kill'; target: Target; signal: string; pid: number }
  | { atMillis: number; op: 'fault'; kind: Strike['kind']; millis: number; target?: string; count?: number }
  | { atMillis: number; op: 'ended by itself'; target: Target; how: string }
  | { atMillis: number; op: 'up'; target: Target; millis: number }
  | { atMillis: number; op: 'end'; state: FinalState }
  | { atMillis: number; op: 'setting'; setting: Setting };

export type History = {
  events: Event[];
  nowMillis(): number;
  record(event: Event): void;
  close(): Promise<void>;
};

/** Records every event in memory, for the checker, and in a JSON Lines file for later inspection. */
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

/** Reads a recorded history, compressed or not. */
export function readHistory(file: string): Event[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
