import type { Event, EventType } from '@assay/contract/event.ts';
import type { Issue } from '@assay/contract/issue.ts';
import type { Content } from './files.ts';

/**
 * What a caller knows of a workspace by the integration interface and its documented answers alone: the plainest
 * service that would behave so. Nothing here asks the real one.
 */
export type Model = {
  /** How many commands were begun: the clock of the model. */
  step: number;
  uploads: Upload[];
  /** In the order of their creation; a deleted one stays, so that it can be asked for. */
  submissions: Submission[];
  /** Version group → its highest number so far: none is given twice. */
  lastVersions: Map<string, number>;
  /** Version group → reference number → the rule that it stands for: none is reused. */
  issueNumbers: Map<string, Map<number, string>>;
  /** Mode, route and `Idempotency-Key` → what was answered. */
  remembered: Map<string, Remembered>;
  /** Live assets that were completed, and those of deleted submissions of which nobody knows. */
  credits: { known: number; unknown: number };
  /** Assets that this sequence may still hand to a worker: they cost most of the time. */
  servedLeft: Record<Mode, number>;
  /** In the order of their creation; a deleted one stays, so that it can be asked for. */
  subscriptions: Subscription[];
  /** Every event that must have been recorded, in the order in which the model learned of it. */
  events: ExpectedEvent[];
  /** The step that the stream of events has reached: no later event is older. */
  eventStep: number;
};

export type Mode = 'live' | 'sandbox';

export type Upload = {
  label: string;
  blobPath: string;
  filename: string;
  /** Where bytes may be put; one that came up directly has none until it is asked for. */
  url: string | undefined;
  /** What lies there. */
  content: Content | undefined;
  /** How often bytes were put there: a submission is about those that lay there when it was accepted. */
  putCount: number;
  createdWith: Mode;
  /** A submission that may take it along was deleted: it goes when nobody uses it any more. */
  isDiscarded: boolean;
  /** `discarded`: its last submission was deleted, so it may go at any moment. */
  fate: 'kept' | 'discarded' | 'gone';
};

export type Submission = {
  label: string;
  submissionId: string;
  mode: Mode;
  /** Creation is run 1; each accepted retry adds one. */
  run: number;
  delaySeconds: number;
  metadata: object;
  assets: Asset[];
  isDeleted: boolean;
  /** As they were read last. */
  createdAt: string | undefined;
  completedAt: string | undefined;
};

type Failure = 'cancelled' | 'blob_changed';
export type Ending = 'complete' | Failure;

export type Asset = {
  assetId: string;
  versionGroupId: string;
  versionNumber: number;
  /** What its creation said of the asset before it. */
  continues: { previousAssetId: string | null; matchedBy: string | null };
  upload: Upload;
  putCount: number;
  /** The rules that its content breaks, as far as it is looked at; null for a rehearsal, which has no results. */
  ruleCodes: string[] | null;
  attempt: number;
  /** Of the submission, in which this attempt is made. */
  run: number;
  /** `waiting`: handed to queues that nobody serves. `running`: to a worker, so it ends by itself. */
  state: 'waiting' | 'running' | Ending;
  /** Of a running one: how it may end. */
  mayEndAs: Set<Ending>;
  /** Of a running one: what was seen last, as it never goes back within an attempt. */
  seen: { stage: Stage; percent: number };
  /** The steps in which this attempt began, and by which it was known to have ended. */
  begunAt: number;
  endedBy: number | undefined;
  /** Rule → its issue, with the members that were read so far. */
  issues: Map<string, Partial<Issue>>;
  /** Rule → what its issue may begin with, as an earlier version may pass a decision on to it. */
  beginnings: Map<string, Beginning[]>;
};

/** The members of a new issue that depend on an earlier version; one that is not known is left out. */
export type Beginning = {
  [Name in 'referenceNumber' | 'status' | 'statusNote' | 'statusChangedAt']?: Issue[Name] | undefined;
};

export type Subscription = {
  label: string;
  createdWith: Mode;
  subscriptionId: string;
  url: string;
  secret: string;
  /** What it asked for, each from a step on; the last holds now. */
  settings: Settings[];
  isDeleted: boolean;
  /** As they were read last. */
  createdAt: string;
  updatedAt: string;
  disabledAt: string | null;
  /** Delivery → what it delivers, of those that were read. */
  deliveries: Map<string, { event: ExpectedEvent; eventId: string }>;
  /** Deliveries that a caller asked for, and the step in which it did. */
  replays: { deliveryId: string; event: ExpectedEvent; eventId: string; step: number }[];
};

export type Settings = { since: number; isActive: boolean; eventTypes: EventType[]; mode: 'all' | Mode };

/** An event that must have been recorded, at some time from one step to another. */
export type ExpectedEvent = {
  submission: Submission;
  asset: Asset;
  attempt: number;
  type: EventType;
  livemode: boolean;
  /** The members of its data that depend on how the asset ended. */
  outcome: object;
  from: number;
  until: number;
  /** Whether a worker delivers it; otherwise its deliveries stay pending. */
  isServed: boolean;
  /** As the stream of events showed it. */
  shown: Event | undefined;
};

/** Submitted, processing, over. */
export type Stage = 0 | 1 | 2;

export type Remembered = {
  mode: Mode;
  path: string;
  key: string;
  json: object | undefined;
  status: number;
  body: unknown;
};

export type Status = 'submitted' | 'processing' | 'complete' | 'failed';

const retriesMax = 3;

export function createModel(servedLeft: Model['servedLeft']): Model {
  return {
    uploads: [],
    submissions: [],
    lastVersions: new Map(),
    issueNumbers: new Map(),
    remembered: new Map(),
    credits: { known: 0, unknown: 0 },
    servedLeft: { ...servedLeft },
    step: 0,
    subscriptions: [],
    events: [],
    eventStep: 0,
  };
}

export const isSettled = ({ state }: Asset) => state !== 'waiting' && state !== 'running';
export const hasFailed = (asset: Asset) => isSettled(asset) && asset.state !== 'complete';
export const hasRetriesLeft = (attempt: number) => attempt - 1 < retriesMax;
export const isRetryable = ({ state, attempt }: Asset) => state === 'cancelled' && hasRetriesLeft(attempt);

/** What an asset must read as; undefined of a running one. */
export function statusOfAsset(asset: Asset): Status | undefined {
  if (asset.state === 'running') return undefined;
  if (asset.state === 'waiting') return 'submitted';
  return asset.state === 'complete' ? 'complete' : 'failed';
}

/** §3: what the assets make of their submission. */
export function statusOf(statuses: readonly Status[]): Status {
  if (statuses.every((status) => status === 'submitted')) return 'submitted';
  if (statuses.some((status) => status === 'submitted' || status === 'processing')) return 'processing';
  return statuses.includes('failed') ? 'failed' : 'complete';
}

export function livingSubmissions(model: Model): Submission[] {
  return model.submissions.filter(({ isDeleted }) => !isDeleted);
}

export function livingSubscriptions(model: Model): Subscription[] {
  return model.subscriptions.filter(({ isDeleted }) => !isDeleted);
}

export function usersOf(model: Model, upload: Upload): Asset[] {
  return livingSubmissions(model)
    .flatMap(({ assets }) => assets)
    .filter((asset) => asset.upload === upload);
}

type IdempotentRoute = 'submit' | 'retry' | 'subscribe';

export function remember(model: Model, route: IdempotentRoute, answered: Remembered): void {
  model.remembered.set(`${answered.mode} ${route} ${answered.key}`, answered);
}

export function rememberedUnder(model: Model, mode: Mode, route: IdempotentRoute, key: string | undefined) {
  return key === undefined ? undefined : model.remembered.get(`${mode} ${route} ${key}`);
}

/** Live assets that may have been completed without anyone having looked. */
export function mayHaveCompleted(model: Model): number {
  return livingSubmissions(model)
    .filter(({ mode }) => mode === 'live')
    .flatMap(({ assets }) => assets)
    .filter(({ state, mayEndAs }) => state === 'running' && mayEndAs.has('complete')).length;
}
