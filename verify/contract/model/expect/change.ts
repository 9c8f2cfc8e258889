import { contents } from '../files.ts';
import { noteInitialStates } from '../initial-states.ts';
import { type Asset, type AssetEnding, assetsUsing, type Model, type Submission, type Upload } from '../model.ts';
import { expectEnd } from './expect-events.ts';
import { continuedAssets, type SubmitRequest } from './expect-submit.ts';
import { learnAllEnded } from './learn.ts';

/** How accepted requests change the model. */

export type Created = {
  submissionId: string;
  assets: ({ assetId: string; versionGroupId: string; versionNumber: number } & Asset['continues'])[];
};

export function addSubmission(model: Model, request: SubmitRequest, created: Created, isServed: boolean): Submission {
  const { mode, delaySeconds = 0 } = request;
  const assets = request.assets.map(({ upload }, i): Asset => {
    const { assetId, versionGroupId, versionNumber, ...continues } = created.assets[i] as Created['assets'][number];
    const { putCount, content } = upload as Upload;
    const found = request.sidekicks === 'none' || !content ? [] : contents[content].ruleCodes;
    return {
      assetId,
      versionGroupId,
      versionNumber,
      continues,
      upload: upload as Upload,
      putCount,
      content,
      ruleCodes: mode === 'live' ? [...found] : null,
      attempt: 1,
      run: 1,
      state: 'waiting',
      mayEndAs: new Set<AssetEnding>(),
      seen: { stage: 0, percent: 0 },
      begunAt: model.step,
      endedBy: undefined,
      issues: new Map(),
      initialStates: new Map(),
    };
  });
  for (const { versionGroupId, versionNumber, upload } of assets) {
    model.lastVersions.set(versionGroupId, versionNumber);
    upload.retention = 'kept';
  }
  const submission: Submission = {
    label: `#${model.submissions.length + 1}`,
    submissionId: created.submissionId,
    mode,
    run: 1,
    delaySeconds,
    metadata: (request.json as { metadata: object }).metadata,
    assets,
    isDeleted: false,
    createdAt: undefined,
    completedAt: undefined,
  };
  for (const asset of assets) begin(model, submission, asset, isServed);
  model.submissions.push(submission);
  noteInitialStates(model);
  return submission;
}

/** The version group and number that each new asset must have; the id of a new group is not known yet. */
export function versionsOf(model: Model, request: SubmitRequest) {
  return continuedAssets(request).map((asset) => {
    if (!asset || asset === 'ambiguous') return { versionGroupId: undefined, versionNumber: 1, previousAssetId: null };
    const { versionGroupId, assetId: previousAssetId } = asset;
    return { versionGroupId, versionNumber: (model.lastVersions.get(versionGroupId) ?? 0) + 1, previousAssetId };
  });
}

function begin({ step, areEqualBytesSame }: Model, { mode, run }: Submission, asset: Asset, isServed: boolean): void {
  const { upload, putCount, content } = asset;
  const isReplaced = areEqualBytesSame ? upload.content !== content : upload.putCount !== putCount;
  asset.run = run;
  asset.seen = { stage: 0, percent: 0 };
  asset.begunAt = step;
  asset.endedBy = undefined;
  asset.initialStates = new Map();
  asset.state = isServed ? 'running' : 'waiting';
  // A simulated run reads no bytes.
  asset.mayEndAs = new Set<AssetEnding>([mode === 'live' && isReplaced ? 'blob_changed' : 'complete']);
}

export function retryAsset(model: Model, submission: Submission, asset: Asset, isServed: boolean): void {
  submission.run++;
  submission.completedAt = undefined;
  asset.attempt++;
  begin(model, submission, asset, isServed);
  noteInitialStates(model);
}

/** Cancels every waiting asset. A running one may have ended before, which only the response shows. */
export function cancelSubmission(model: Model, submission: Submission): void {
  submission.completedAt = undefined;
  for (const asset of submission.assets) {
    if (asset.state === 'waiting') {
      asset.state = 'cancelled';
      expectEnd(model, submission, asset, 'cancelled');
    } else if (asset.state === 'running' && asset.seen.stage < 2) asset.mayEndAs.add('cancelled');
  }
}

export function deleteSubmission(model: Model, submission: Submission): void {
  learnAllEnded(model, submission);
  const isUncertain = ({ state, mayEndAs }: Asset) => state === 'running' && mayEndAs.has('complete');
  if (submission.mode === 'live') model.credits.unknown += submission.assets.filter(isUncertain).length;
  submission.isDeleted = true;
  for (const { upload } of submission.assets) {
    // Deleting a simulated submission does not discard files that a live key uploaded.
    upload.isDiscarded ||= submission.mode === 'live' || upload.createdWith === 'sandbox';
    const isUnused = assetsUsing(model, upload).length === 0;
    if (upload.isDiscarded && isUnused && upload.retention === 'kept') upload.retention = 'discarded';
  }
}

export function putBytes(model: Model, upload: Upload, content: NonNullable<Upload['content']>): void {
  upload.content = content;
  upload.putCount++;
  for (const { assets, mode } of model.submissions) {
    for (const asset of assets) {
      const isRead = asset.upload === upload && asset.state === 'running' && asset.seen.stage < 2 && mode === 'live';
      if (isRead) asset.mayEndAs.add('blob_changed');
    }
  }
}
