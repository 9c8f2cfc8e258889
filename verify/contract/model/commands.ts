import type { FiredEventType } from '@assay/contract/schemas/event.ts';
import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import type { Mode, Settings, Status } from './model.ts';

/**
 * A caller's actions, without ids: each describes the kind of its target, which is chosen from the model when the command
 * runs (targets.ts). Any part of a sequence is therefore a valid sequence, and a failing one can be shrunk.
 */
export type Commands = {
  upload: { mode: Mode; filename: string } & Bytes;
  url: { mode: Mode; filename: string };
  put: { mode: Mode; upload: UploadSelector } & Bytes;
  submit: Submitting;
  /** Creates a submission whose assets are new versions. */
  version: Submitting;
  retry: { mode: Mode; asset: AssetSelector; isServed: boolean; key: string | undefined };
  cancel: OfSubmission;
  delete: OfSubmission;
  /** Repeats an answered request with its `Idempotency-Key`. */
  replay: { pick: number; isChanged: boolean };
  poll: OfSubmission;
  /** Polls until every running asset has ended. */
  settle: OfSubmission;
  versions: OfSubmission;
  asset: OfAsset;
  issues: OfAsset;
  topics: OfAsset;
  list: { mode: Mode; limit: number; status: Status | undefined };
  me: { mode: Mode };
  /** Removes the files of deleted submissions. */
  purge: object;
  /** A reviewer sets the status of an issue. */
  decide: OfAsset & { issue: IssueSelector; status: IssueStatus; note: string | undefined };
  subscribe: { by: Mode; isAllowed: boolean; key: string | undefined } & Pick<Settings, 'eventTypes' | 'mode'>;
  /** Changes the settings of a subscription. */
  change: OfSubscription & { change: Partial<Omit<Settings, 'since'>> };
  unsubscribe: OfSubscription;
  subscription: OfSubscription;
  subscriptions: { by: Mode; limit: number };
  /** Lists all deliveries to a subscription, and reads one with its payload. */
  deliveries: OfSubscription & { limit: number; pick: number };
  /** Replays a known delivery. */
  resend: OfSubscription & { pick: number };
  fire: OfSubmission & { isServed: boolean; eventType: FiredEventType; message: string | undefined };
  /** Opens the event stream after an event that was shown before. */
  events: { mode: Mode; isServed: boolean; pick: number };
  /** Opens the stream of a submission, with or without an unknown event id. */
  follow: OfSubmission & { isServed: boolean; hasUnknownId: boolean };
  /** Reads an open stream until it shows the current state. */
  watch: { pick: number };
  /** Closes a stream and opens it again after one of its messages. */
  resume: { pick: number; back: number; isServed: boolean };
};

export type Op = keyof Commands;
export type CommandOf<Name extends Op> = { op: Name } & Commands[Name];
export type Command = { [Name in Op]: CommandOf<Name> }[Op];

/** The content of a file. Invalid content has no accepted type. */
type Bytes = { isValid: boolean; hasFindings: boolean };
type OfSubmission = { mode: Mode; submission: SubmissionSelector };
type OfAsset = { mode: Mode; asset: AssetSelector };
type OfSubscription = { by: Mode; subscription: SubscriptionSelector };

export type Submitting = {
  mode: Mode;
  /** Whether it is sent to the API whose queues a worker polls. */
  isServed: boolean;
  assets: { upload: UploadSelector; previous: SubmissionSelector | undefined }[];
  sidekicks: 'file safety' | 'none' | 'unknown';
  key: string | undefined;
  delaySeconds: number | undefined;
  note: number;
};

export type Selector<Kind extends string> = { kind: Kind; pick: number };

export type UploadSelector = Selector<
  'ready' | 'flawed' | 'repeated' | 'submitted' | 'empty' | 'wrong' | 'discarded' | 'any' | 'foreign' | 'invented'
>;

export type SubmissionSelector = Selector<
  'any' | 'unfinished' | 'retried' | 'running' | 'finished' | 'several' | 'decided' | 'deleted' | 'foreign' | 'unknown'
>;

export type AssetSelector = Selector<
  | 'any'
  | 'waiting'
  | 'complete'
  | 'flawed'
  | 'cancelled'
  | 'most retried'
  | 'changed'
  | 'no asset'
  | 'deleted'
  | 'foreign'
  | 'unknown'
>;

/** An issue of the asset, of another asset, of another workspace, or an unknown one. */
export type IssueSelector = Selector<'own' | 'other' | 'foreign' | 'unknown'>;

export type SubscriptionSelector = Selector<'any' | 'used' | 'inactive' | 'deleted' | 'foreign' | 'unknown'>;
