import type { Event, EventType, FiredEventType } from '@assay/contract/schemas/event.ts';
import type { Issue } from '@assay/contract/schemas/issue.ts';
import type { Content } from './files.ts';

/**
 * What a caller knows about a workspace from the integration interface and its documented responses alone: the simplest
 * service that behaves like it. Nothing here queries the real one.
 */
export type Model = {
  /** The number of commands so far: the clock of the model. */
  step: number;
  /** Whether storage treats a file that is overwritten with equal bytes as unchanged, as S3 does. */
  areEqualBytesSame: boolean;
  uploads: Upload[];
  /** In order of creation; deleted ones are kept, so that they can be requested. */
  submissions: Submission[];
  /** The highest version number so far of each version group; no number is used twice. */
  lastVersions: Map<string, number>;
  /** For each version group, the rule of the issue with each reference number. No number is reused for another rule. */
  issueNumbers: Map<string, Map<number, string>>;
  /** Answered requests by mode, route and `Idempotency-Key`. */
  remembered: Map<string, AnsweredRequest>;
  /** The number of completed live assets, and of those of deleted submissions that may have completed. */
  credits: { known: number; unknown: number };
  /** How many more assets this sequence may give to a worker, which takes most of the time. */
  servedLeft: Record<Mode, number>;
  /** In order of creation; deleted ones are kept, so that they can be requested. */
  subscriptions: Subscription[];
  /** Every event that must have been recorded, in the order in which the model learned about it. */
  events: ExpectedEvent[];
  /** The events about verdicts that the stream has shown. */
  verdictEvents: Event[];
  /** The step that the event stream has reached: its next events must not be older. */
  eventStep: number;
};

export type Mode = 'live' | 'sandbox';

export type Upload = {
  label: string;
  blobPath: string;
  filename: string;
  /** The upload URL; a direct upload has none until it is requested. */
  url: string | undefined;
  /** The stored content. */
  content: Content | undefined;
  /** How often the file was uploaded: a submission refers to its content at the time of acceptance. */
  putCount: number;
  createdWith: Mode;
  /** Whether a submission that may discard the file was deleted: the file is removed once no submission uses it. */
  isDiscarded: boolean;
  /** `discarded`: the file's last submission was deleted, so the file may be removed at any time. */
  retention: 'kept' | 'discarded' | 'removed';
};

export type Submission = {
  label: string;
  submissionId: string;
  mode: Mode;
  /** The creation is run 1; each accepted retry adds one. */
  run: number;
  delaySeconds: number;
  metadata: object;
  assets: Asset[];
  isDeleted: boolean;
  /** The values that were last read. */
  createdAt: string | undefined;
  completedAt: string | undefined;
};

type Failure = 'cancelled' | 'blob_changed';
export type AssetEnding = 'complete' | Failure;

export type Asset = {
  assetId: string;
  versionGroupId: string;
  versionNumber: number;
  /** The previous asset, as the response to the creation named it. */
  continues: { previousAssetId: string | null; matchedBy: string | null };
  upload: Upload;
  /** The upload's count and content when the submission was accepted. */
  putCount: number;
  content: Content | undefined;
  /** The checked rules that its content violates; null for a simulated run, which has no results. */
  ruleCodes: string[] | null;
  attempt: number;
  /** The run of the submission to which this attempt belongs. */
  run: number;
  /** `waiting`: in queues that no worker polls. `running`: given to a worker, so it ends by itself. */
  state: 'waiting' | 'running' | AssetEnding;
  /** While running: its possible outcomes. */
  mayEndAs: Set<AssetEnding>;
  /** While running: the last state that was seen; it never goes back within an attempt. */
  seen: { stage: Stage; percent: number };
  /** The step in which this attempt started, and the step by which it was known to have ended. */
  begunAt: number;
  endedBy: number | undefined;
  /** The issues by rule, with the members read so far. */
  issues: Map<string, Partial<Issue>>;
  /** By rule, what its issue may start with, because the issue may inherit a decision from an earlier version. */
  initialStates: Map<string, InitialState[]>;
};

/** The members of a new issue that depend on an earlier version; unknown ones are left out. */
export type InitialState = {
  [Name in 'referenceNumber' | 'status' | 'statusNote' | 'statusChangedAt']?: Issue[Name] | undefined;
};

export type Subscription = {
  label: string;
  createdWith: Mode;
  subscriptionId: string;
  url: string;
  secret: string;
  /** Its settings over time, each from a step on; the last one is current. */
  settings: Settings[];
  isDeleted: boolean;
  /** The values that were last read. */
  createdAt: string;
  updatedAt: string;
  disabledAt: string | null;
  /** The events of the deliveries that were read, by delivery id. */
  deliveries: Map<string, { event: ExpectedEvent; eventId: string }>;
  /** Replays that a caller requested, and the step of the request. */
  replays: { deliveryId: string; event: ExpectedEvent; eventId: string; step: number }[];
};

export type Settings = { since: number; isActive: boolean; eventTypes: EventType[]; mode: 'all' | Mode };

/** An event about the end of an attempt at an asset. */
export type ProcessingEvent = Extract<Event, { type: FiredEventType }>;

/** An event that must have been recorded between two steps. */
export type ExpectedEvent = {
  submission: Submission;
  asset: Asset;
  attempt: number;
  type: EventType;
  livemode: boolean;
  /** The members of its data that depend on the outcome of the asset. */
  outcome: object;
  from: number;
  until: number;
  /** Whether a worker delivers it; if not, its deliveries stay pending. */
  isServed: boolean;
  /** The event as the event stream has shown it. */
  shown: ProcessingEvent | undefined;
};

/** 0: submitted, 1: processing, 2: finished. */
export type Stage = 0 | 1 | 2;

export type AnsweredRequest = {
  mode: Mode;
  path: string;
  key: string;
  json: object | undefined;
  status: number;
  body: unknown;
};

export type Status = 'submitted' | 'processing' | 'complete' | 'failed';

/** Not read from the contract, which is what the model checks. */
const retriesMax = 3;

export function createModel(servedLeft: Model['servedLeft'], areEqualBytesSame: boolean): Model {
  return {
    areEqualBytesSame,
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
    verdictEvents: [],
    eventStep: 0,
  };
}

export const isSettled = ({ state }: Asset) => state !== 'waiting' && state !== 'running';
export const hasFailed = (asset: Asset) => isSettled(asset) && asset.state !== 'complete';
export const hasRetriesLeft = (attempt: number) => attempt - 1 < retriesMax;
export const isRetryable = ({ state, attempt }: Asset) => state === 'cancelled' && hasRetriesLeft(attempt);

/** The status that an asset must have; undefined for a running one. */
export function statusOfAsset(asset: Asset): Status | undefined {
  if (asset.state === 'running') return undefined;
  if (asset.state === 'waiting') return 'submitted';
  return asset.state === 'complete' ? 'complete' : 'failed';
}

/** §3: the status of a submission, derived from those of its assets. */
export function statusOf(statuses: readonly Status[]): Status {
  if (statuses.every((status) => status === 'submitted')) return 'submitted';
  if (statuses.some((status) => status === 'submitted' || status === 'processing')) return 'processing';
  return statuses.includes('failed') ? 'failed' : 'complete';
}

export function existingSubmissions(model: Model): Submission[] {
  return model.submissions.filter(({ isDeleted }) => !isDeleted);
}

export function existingSubscriptions(model: Model): Subscription[] {
  return model.subscriptions.filter(({ isDeleted }) => !isDeleted);
}

export function assetsUsing(model: Model, upload: Upload): Asset[] {
  return existingSubmissions(model)
    .flatMap(({ assets }) => assets)
    .filter((asset) => asset.upload === upload);
}

type IdempotentRoute = 'submit' | 'retry' | 'subscribe';

export function remember(model: Model, route: IdempotentRoute, answered: AnsweredRequest): void {
  model.remembered.set(`${answered.mode} ${route} ${answered.key}`, answered);
}

export function rememberedUnder(model: Model, mode: Mode, route: IdempotentRoute, key: string | undefined) {
  return key === undefined ? undefined : model.remembered.get(`${mode} ${route} ${key}`);
}

/** The number of live assets that may have completed unobserved. */
export function mayHaveCompleted(model: Model): number {
  return existingSubmissions(model)
    .filter(({ mode }) => mode === 'live')
    .flatMap(({ assets }) => assets)
    .filter(({ state, mayEndAs }) => state === 'running' && mayEndAs.has('complete')).length;
}
