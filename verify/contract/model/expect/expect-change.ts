import {
  type Asset,
  isRetryable,
  isSettled,
  type Mode,
  type Model,
  rememberedUnder,
  type Submission,
} from '../model.ts';

/** The target of a request. A submission or asset that this workspace does not have is undefined. */
export type Target = { submission: Submission | undefined; asset?: Asset | undefined };

/** §4.8 */
export function expectRetry(
  model: Model,
  { submission, asset }: Target,
  { mode, path, key }: { mode: Mode; path: string; key: string | undefined },
): string[] {
  const known = rememberedUnder(model, mode, 'retry', key);
  if (known) return [known.path === path ? '202 replayed' : '422 idempotency_key_reused'];
  if (!submission || submission.isDeleted) return ['404 submission_not_found'];
  if (!asset) return ['404 asset_not_found'];
  if (submission.mode === 'live' && mode === 'sandbox') return ['409 asset_not_retryable'];
  if (isRetryable(asset)) return ['202'];
  if (asset.state === 'cancelled') return ['409 retry_limit_reached'];
  if (asset.state === 'complete') return ['409 asset_not_failed'];
  if (isSettled(asset)) return ['409 asset_not_retryable'];
  const responses = new Set<string>();
  const isMaybeUnderWay = asset.state === 'waiting' || asset.seen.stage < 2;
  if (isMaybeUnderWay) responses.add(asset.attempt > 1 ? '409 retry_in_flight' : '409 asset_not_failed');
  if (asset.state === 'running') {
    for (const end of asset.mayEndAs)
      responses.add(end === 'complete' ? '409 asset_not_failed' : '409 asset_not_retryable');
  }
  return [...responses];
}

export function expectCancel({ submission }: Target, mode: Mode): string[] {
  return refusedChange(submission, mode) ?? expectByProgress(submission as Submission, '202', '409 submission_settled');
}

export function expectDelete({ submission }: Target, mode: Mode): string[] {
  return (
    refusedChange(submission, mode) ?? expectByProgress(submission as Submission, '409 submission_in_progress', '204')
  );
}

/** A sandbox key changes only sandbox resources. */
function refusedChange(submission: Submission | undefined, mode: Mode): string[] | undefined {
  if (!submission || submission.isDeleted) return ['404 submission_not_found'];
  return submission.mode === 'live' && mode === 'sandbox' ? ['403 live_submission'] : undefined;
}

/** The response depends on whether the submission is finished, which is unknown while assets are running. */
function expectByProgress({ assets }: Submission, underWay: string, over: string): string[] {
  if (assets.every(isSettled)) return [over];
  const isSurelyUnderWay = assets.some(({ state }) => state === 'waiting');
  const isSurelyOver = assets.every(
    (asset) => isSettled(asset) || (asset.state === 'running' && asset.seen.stage === 2),
  );
  return isSurelyUnderWay ? [underWay] : isSurelyOver ? [over] : [underWay, over];
}

/** §4.5: the asset itself always exists. §4.6, §4.7: its results only once it is complete. */
export function expectResults({ submission, asset }: Target, part: 'asset' | 'issues' | 'topics'): string[] {
  if (!submission || submission.isDeleted) return ['404 submission_not_found'];
  if (!asset) return ['404 asset_not_found'];
  if (part === 'asset' || asset.state === 'complete') return ['200'];
  if (isSettled(asset)) return ['404 asset_failed'];
  if (asset.state === 'waiting') return ['404 asset_not_ready'];
  const ends = [...asset.mayEndAs].map((end) => (end === 'complete' ? '200' : '404 asset_failed'));
  return asset.seen.stage === 2 ? ends : ['404 asset_not_ready', ...ends];
}

/** A reviewer can decide on issues of this asset; a sandbox key cannot decide on those of a live asset. */
export function expectDecision(target: Target & { issue: object | undefined }, mode: Mode): string[] {
  const { submission, asset, issue } = target;
  if (!submission || submission.isDeleted) return ['404 submission_not_found'];
  if (!asset) return ['404 asset_not_found'];
  if (submission.mode === 'live' && mode === 'sandbox') return ['403 live_submission'];
  return [issue ? '200' : '404 issue_not_found'];
}
