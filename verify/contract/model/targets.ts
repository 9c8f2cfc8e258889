import { randomUUID } from 'node:crypto';
import type { AssetSelector, SubmissionSelector, SubscriptionSelector, UploadSelector } from './commands.ts';
import { contents, fits } from './files.ts';
import {
  type Asset,
  assetsUsing,
  existingSubmissions,
  existingSubscriptions,
  isSettled,
  type Model,
  type Submission,
  type Subscription,
  type Upload,
} from './model.ts';
import type { Session } from './session.ts';

/** The target of a request. `submission` is undefined if this workspace has no such submission. */
export type SubmissionTarget = { label: string; submissionId: string; submission: Submission | undefined };
export type AssetTarget = SubmissionTarget & { assetId: string; asset: Asset | undefined };
export type SubscriptionTarget = { label: string; subscriptionId: string; subscription: Subscription | undefined };
export type UploadTarget = { label: string; blobPath: string; upload: Upload | undefined };

/**
 * Selects a submission of the requested kind; if there is none, any submission; if there are none at all, an id that
 * never existed.
 */
export function selectSubmission(model: Model, session: Session, { kind, pick }: SubmissionSelector): SubmissionTarget {
  if (kind === 'foreign') return { ...session.foreign, label: 'a foreign submission', submission: undefined };
  const existing = existingSubmissions(model);
  const candidates = {
    any: () => existing,
    unfinished: () => existing.filter(({ assets }) => !assets.every(isSettled)),
    retried: () =>
      existing
        .filter((one) => waitingAttempt(one) > 1)
        .toSorted((a, b) => waitingAttempt(a) - waitingAttempt(b))
        .slice(-1),
    running: () => existing.filter(isAwaited),
    finished: () => existing.filter(({ assets }) => assets.every(isSettled)),
    several: () => existing.filter(({ assets }) => assets.length > 1),
    decided: () => existing.filter(({ assets }) => assets.some(isDecidedOn)),
    deleted: () => model.submissions.filter(({ isDeleted }) => isDeleted),
    unknown: () => [],
  }[kind]();
  const submission = chooseCandidate(candidates, existing, { kind, pick });
  if (!submission) return { label: 'an unknown submission', submissionId: randomUUID(), submission };
  const { label, submissionId } = submission;
  return { label, submissionId, submission };
}

export function selectAsset(model: Model, session: Session, { kind, pick }: AssetSelector): AssetTarget {
  if (kind === 'foreign' || kind === 'unknown' || kind === 'deleted' || kind === 'no asset') {
    const target = selectSubmission(model, session, { kind: kind === 'no asset' ? 'any' : kind, pick });
    const asset = kind === 'no asset' ? undefined : target.submission?.assets[0];
    const assetId = asset?.assetId ?? (kind === 'foreign' ? session.foreign.assetId : randomUUID());
    return { ...target, label: `${asset ? 'an' : 'no'} asset of ${target.label}`, assetId, asset };
  }
  const pairs = existingSubmissions(model).flatMap((submission) =>
    submission.assets.map((asset) => ({ submission, asset })),
  );
  const inState = (state: Asset['state']) => pairs.filter(({ asset }) => asset.state === state);
  const candidates = {
    any: () => pairs,
    waiting: () => inState('waiting'),
    complete: () => inState('complete'),
    flawed: () => inState('complete').filter(({ asset }) => asset.ruleCodes?.length),
    cancelled: () => inState('cancelled'),
    'most retried': () =>
      inState('cancelled')
        .toSorted((a, b) => a.asset.attempt - b.asset.attempt)
        .slice(-1),
    changed: () => inState('blob_changed'),
  }[kind]();
  const chosen = choose(candidates, pick) ?? choose(pairs, pick);
  if (!chosen) return selectAsset(model, session, { kind: 'unknown', pick });
  const { submission, asset } = chosen;
  const label = `asset ${submission.assets.indexOf(asset)} of ${submission.label}`;
  return { label, submission, asset, submissionId: submission.submissionId, assetId: asset.assetId };
}

/** `taken` are the uploads that the request already contains. */
export function selectUpload(
  model: Model,
  session: Session,
  { kind, pick }: UploadSelector,
  taken: Upload[] = [],
): UploadTarget {
  if (kind === 'foreign') return { ...session.foreign, label: 'a foreign file', upload: undefined };
  const kept = model.uploads.filter(({ retention }) => retention === 'kept');
  const candidates = {
    any: () => model.uploads,
    ready: () => readyUploads(model, taken),
    flawed: () => flawedUploads(model, taken),
    repeated: () => taken,
    submitted: () => kept.filter((upload) => assetsUsing(model, upload).some(({ state }) => state !== 'complete')),
    empty: () => kept.filter(({ content }) => !content),
    wrong: () => kept.filter(({ content, filename }) => content && !fits(filename, content)),
    discarded: () => model.uploads.filter(({ retention }) => retention === 'discarded'),
    invented: () => [],
  }[kind]();
  const upload = choose(candidates, pick) ?? (kind === 'invented' ? undefined : choose(model.uploads, pick));
  if (upload) return { label: `${upload.label} (${upload.filename})`, blobPath: upload.blobPath, upload };
  return { label: 'an invented file', blobPath: `${session.workspaceId}/${randomUUID()}-a.txt`, upload };
}

export function readyUploads({ uploads }: Model, taken: Upload[]): Upload[] {
  const isReady = ({ retention, content, filename }: Upload) =>
    retention === 'kept' && content && fits(filename, content);
  return uploads.filter((upload) => isReady(upload) && !taken.includes(upload));
}

/** Ready uploads whose content causes issues. */
export function flawedUploads(model: Model, taken: Upload[]): Upload[] {
  return readyUploads(model, taken).filter(({ content }) => content && contents[content].ruleCodes.length > 0);
}

export function selectSubscription(
  model: Model,
  { foreign }: Session,
  { kind, pick }: SubscriptionSelector,
): SubscriptionTarget {
  if (kind === 'foreign') {
    return { label: 'a foreign subscription', subscriptionId: foreign.subscriptionId, subscription: undefined };
  }
  const existing = existingSubscriptions(model);
  const candidates = {
    any: () => existing,
    used: () => existing.filter(isUsed),
    inactive: () => {
      const stopped = existing.filter(({ settings }) => !settings.at(-1)?.isActive);
      return stopped.some(isUsed) ? stopped.filter(isUsed) : stopped;
    },
    deleted: () => model.subscriptions.filter(({ isDeleted }) => isDeleted),
    unknown: () => [],
  }[kind]();
  const subscription = chooseCandidate(candidates, existing, { kind, pick });
  if (!subscription) return { label: 'an unknown subscription', subscriptionId: randomUUID(), subscription };
  const { label, subscriptionId } = subscription;
  return { label, subscriptionId, subscription };
}

const isUsed = ({ deliveries }: Subscription) => deliveries.size > 0;

const isDecidedOn = ({ issues }: Asset) => [...issues.values()].some(({ statusChangedAt }) => statusChangedAt);

const waitingAttempt = ({ assets }: Submission) =>
  Math.max(0, ...assets.map(({ state, attempt }) => (state === 'waiting' ? attempt : 0)));

/** Whether a submission will finish by itself soon. */
export function isAwaited({ assets, delaySeconds }: Submission): boolean {
  return delaySeconds === 0 && assets.some(({ state }) => state === 'running');
}

/** Chooses an item of the requested kind, otherwise any existing one, and none for `unknown`. Newest first. */
function chooseCandidate<Item>(candidates: Item[], existing: Item[], { kind, pick }: { kind: string; pick: number }) {
  return choose(candidates, pick) ?? (kind === 'unknown' ? undefined : choose(existing, pick));
}

export function choose<Item>(items: Item[], pick: number): Item | undefined {
  return items.at(-1 - (pick % Math.max(1, items.length)));
}
