import type { Mode, Status } from './model.ts';

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
};

export type Op = keyof Commands;
export type CommandOf<Name extends Op> = { op: Name } & Commands[Name];
export type Command = { [Name in Op]: CommandOf<Name> }[Op];

/** Those that are not honest are of no accepted type. */
type Bytes = { isHonest: boolean; hasFindings: boolean };
type OfSubmission = { mode: Mode; submission: SubmissionWish };
type OfAsset = { mode: Mode; asset: AssetWish };

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
  'ready' | 'again' | 'submitted' | 'empty' | 'wrong' | 'discarded' | 'any' | 'foreign' | 'invented'
>;

export type SubmissionWish = Wish<
  'any' | 'under way' | 'retried' | 'running' | 'over' | 'several' | 'deleted' | 'foreign' | 'unknown'
>;

export type AssetWish = Wish<
  'any' | 'waiting' | 'complete' | 'cancelled' | 'worn' | 'changed' | 'nowhere' | 'deleted' | 'foreign' | 'unknown'
>;
