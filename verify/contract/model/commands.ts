import type { FiredEventType } from '@assay/contract/schemas/event.ts';
import type { IssueStatus } from '@assay/contract/schemas/issue.ts';
import type { Mode, Settings, Status } from './model.ts';

/**
 * A caller's actions, without ids: each describes the kind of its target, which is chosen from the model when the command
 * runs (targets.ts). Any part of a sequence is therefore a valid sequence, and a failing one can be shrunk.
 */
export type Commands = {
  upload: { mode: Mode; filename: string } & UploadedContent;
  url: { mode: Mode; filename: string };
  put: { mode: Mode; upload: UploadSelector } & UploadedContent;
  submit: SubmitFields;
  /** Creates a submission whose assets are new versions. */
  version: SubmitFields;
  retry: { mode: Mode; asset: AssetSelector; isServed: boolean; key: string | undefined };
  cancel: SubmissionCommand;
  delete: SubmissionCommand;
  /** Repeats an answered request with its `Idempotency-Key`. */
  replay: { pick: number; isChanged: boolean };
  poll: SubmissionCommand;
  /** Polls until every running asset has ended. */
  settle: SubmissionCommand;
  versions: SubmissionCommand;
  asset: AssetCommand;
  issues: AssetCommand;
  topics: AssetCommand;
  list: { mode: Mode; limit: number; status: Status | undefined };
  me: { mode: Mode };
  /** Removes the files of deleted submissions. */
  purge: object;
  /** A reviewer sets the status of an issue. */
  decide: AssetCommand & { issue: IssueSelector; status: IssueStatus; note: string | undefined };
  subscribe: { by: Mode; isAllowed: boolean; key: string | undefined } & Pick<Settings, 'eventTypes' | 'mode'>;
  /** Changes the settings of a subscription. */
  change: SubscriptionCommand & { change: Partial<Omit<Settings, 'since'>> };
  unsubscribe: SubscriptionCommand;
  subscription: SubscriptionCommand;
  subscriptions: { by: Mode; limit: number };
  /** Lists all deliveries to a subscription, and reads one with its payload. */
  deliveries: SubscriptionCommand & { limit: number; pick: number };
  /** Replays a known delivery. */
  resend: SubscriptionCommand & { pick: number };
  fire: SubmissionCommand & { isServed: boolean; eventType: FiredEventType; message: string | undefined };
  /** Opens the event stream after an event that was shown before. */
  events: { mode: Mode; isServed: boolean; pick: number };
  /** Opens the stream of a submission, with or without an unknown event id. */
  follow: SubmissionCommand & { isServed: boolean; hasUnknownId: boolean };
  /** Reads an open stream until it shows the current state. */
  watch: { pick: number };
  /** Closes a stream and opens it again after one of its messages. */
  resume: { pick: number; back: number; isServed: boolean };
};

export type CommandName = keyof Commands;
export type CommandOf<Name extends CommandName> = { op: Name } & Commands[Name];
export type Command = { [Name in CommandName]: CommandOf<Name> }[CommandName];

/** The content of a file. Invalid content has no accepted type. */
type UploadedContent = { isValid: boolean; hasFindings: boolean };
type SubmissionCommand = { mode: Mode; submission: SubmissionSelector };
type AssetCommand = { mode: Mode; asset: AssetSelector };
type SubscriptionCommand = { by: Mode; subscription: SubscriptionSelector };

export type SubmitFields = {
  mode: Mode;
  /** Whether the request is sent to the API whose queues a worker polls. */
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
