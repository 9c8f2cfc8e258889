import type { EventType } from '@assay/contract/event.ts';
import type { IssueStatus } from '@assay/contract/issue.ts';
import type { Mode, Settings, Status } from './model.ts';

/**
 * What a caller does, said without ids: whom it concerns is a wish that is met from the model when the command runs
 * (aim.ts). So any part of a sequence is a sequence too, and a failure can be made smaller.
 */
export type Commands = {
  upload: { mode: Mode; filename: string } & Bytes;
  url: { mode: Mode; filename: string };
  put: { mode: Mode; upload: UploadWish } & Bytes;
  submit: Submitting;
  /** A create whose assets continue earlier ones. */
  version: Submitting;
  retry: { mode: Mode; asset: AssetWish; isServed: boolean; key: string | undefined };
  cancel: OfSubmission;
  delete: OfSubmission;
  /** A request that was answered under an `Idempotency-Key`, once more. */
  replay: { pick: number; isChanged: boolean };
  poll: OfSubmission;
  /** Polls until what runs by itself is over. */
  settle: OfSubmission;
  versions: OfSubmission;
  asset: OfAsset;
  issues: OfAsset;
  topics: OfAsset;
  list: { mode: Mode; limit: number; status: Status | undefined };
  me: { mode: Mode };
  /** Lets the files of deleted submissions be cleared away. */
  tidy: object;
  /** A reviewer sets the status of an issue. */
  decide: OfAsset & { issue: IssueWish; status: IssueStatus; note: string | undefined };
  subscribe: { by: Mode; isAllowed: boolean; key: string | undefined } & Pick<Settings, 'eventTypes' | 'mode'>;
  /** Changes what a subscription asks for. */
  change: OfSubscription & { change: Partial<Omit<Settings, 'since'>> };
  unsubscribe: OfSubscription;
  subscription: OfSubscription;
  subscriptions: { by: Mode; limit: number };
  /** Every delivery to a subscription, and one of them with its payload. */
  deliveries: OfSubscription & { limit: number; pick: number };
  /** A delivery that was read, once more. */
  resend: OfSubscription & { pick: number };
  fire: OfSubmission & { isServed: boolean; eventType: EventType; message: string | undefined };
  /** The stream of events, from one that was shown before. */
  events: { mode: Mode; isServed: boolean; pick: number };
  /** Opens the stream of a submission, with or without an id that it never sent. */
  follow: OfSubmission & { isServed: boolean; hasUnknownId: boolean };
  /** Reads an open stream until it shows what is known. */
  watch: { pick: number };
  /** Leaves a stream and opens it again after one of the messages that it has sent. */
  resume: { pick: number; back: number; isServed: boolean };
};

export type Op = keyof Commands;
export type CommandOf<Name extends Op> = { op: Name } & Commands[Name];
export type Command = { [Name in Op]: CommandOf<Name> }[Op];

/** Those that are not honest are of no accepted type. */
type Bytes = { isHonest: boolean; hasFindings: boolean };
type OfSubmission = { mode: Mode; submission: SubmissionWish };
type OfAsset = { mode: Mode; asset: AssetWish };
type OfSubscription = { by: Mode; subscription: SubscriptionWish };

export type Submitting = {
  mode: Mode;
  /** By the API whose queues a worker serves. */
  isServed: boolean;
  assets: { upload: UploadWish; previous: SubmissionWish | undefined }[];
  sidekicks: 'file safety' | 'none' | 'unknown';
  key: string | undefined;
  delaySeconds: number | undefined;
  note: number;
};

export type Wish<Kind extends string> = { kind: Kind; pick: number };

export type UploadWish = Wish<
  'ready' | 'flawed' | 'again' | 'submitted' | 'empty' | 'wrong' | 'discarded' | 'any' | 'foreign' | 'invented'
>;

export type SubmissionWish = Wish<
  'any' | 'under way' | 'retried' | 'running' | 'over' | 'several' | 'decided' | 'deleted' | 'foreign' | 'unknown'
>;

export type AssetWish = Wish<
  | 'any'
  | 'waiting'
  | 'complete'
  | 'flawed'
  | 'cancelled'
  | 'worn'
  | 'changed'
  | 'nowhere'
  | 'deleted'
  | 'foreign'
  | 'unknown'
>;

/** Of the asset, of another asset, of another workspace, or of none. */
export type IssueWish = Wish<'own' | 'other' | 'foreign' | 'unknown'>;

export type SubscriptionWish = Wish<'any' | 'used' | 'inactive' | 'deleted' | 'foreign' | 'unknown'>;
