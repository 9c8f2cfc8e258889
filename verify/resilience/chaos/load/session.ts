import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode } from '../check/history.ts';
import { type Client, untilDecided } from './client.ts';
import type { RealFile } from './files.ts';
import { isStored } from './send-request.ts';

/** What a caller will do with one submission. */
export type Plan = {
  client: number;
  mode: Mode;
  /** Files to upload first, or existing blobs. */
  files: { file: RealFile; isPresigned: boolean }[];
  blobPaths: string[];
  delaySeconds: number;
  cancelAfterMillis?: number;
  isRetried: boolean;
  isDeleted: boolean;
  /** Whether the submitted file kills every worker that examines it. */
  isDeadly?: boolean;
  /** Time between the end of the submission and its last read. */
  lingerMillis: number;
};

/** Running totals of all submissions. */
export type Tally = { acknowledged: number; settled: number; deleted: number };

type SeenAsset = { assetId: string; status: string; isRetryable: boolean; retryCount: number };

const pollMillisMin = 250;
const pollMillisMax = 3000;

/** Uploads, submits, polls to the end and performs the plan; gives up only at the end of the run. */
export async function runSession(
  plan: Plan,
  client: Client,
  tally: Tally,
  over: AbortSignal,
  onSettled: () => void = () => {},
): Promise<void> {
  const blobPaths = plan.files.length > 0 ? await uploadAll(plan, client, over) : plan.blobPaths;
  if (!blobPaths) return client.giveUp('upload');
  const created = await untilDecided(() => client.create(blobPaths, plan.delaySeconds, plan.isDeadly), over);
  if (created?.status !== 201) return client.giveUp('create');
  tally.acknowledged++;

  if (plan.cancelAfterMillis !== undefined) await cancel(plan.cancelAfterMillis, client, over);
  let assets = await pollUntilFinished(client, over);
  if (plan.isRetried && assets) {
    const isRetried = await retryFailed(assets, client, over);
    if (isRetried) assets = await pollUntilFinished(client, over);
  }
  if (!assets) return client.giveUp('end');
  tally.settled++;
  onSettled();
  await readIssues(plan, assets, client, over);

  await sleep(plan.lingerMillis);
  await untilDecided(client.read, over);
  if (!plan.isDeleted) return;
  const removed = await untilDecided(client.remove, over);
  if (!removed) return client.giveUp('delete');
  if (removed.status === 204 || removed.status === 404) tally.deleted++;
  await untilDecided(client.read, over);
}

async function readIssues({ files }: Plan, assets: SeenAsset[], client: Client, over: AbortSignal): Promise<void> {
  for (const [place, { file }] of files.entries())
    if (assets[place]?.status === 'complete') await untilDecided(() => client.readIssues(place, file.filename), over);
}

async function uploadAll({ files }: Plan, client: Client, over: AbortSignal): Promise<string[] | undefined> {
  const blobPaths: string[] = [];
  for (const { file, isPresigned } of files) {
    const blobPath = isPresigned ? await uploadPresigned(file, client, over) : await uploadDirect(file, client, over);
    if (!blobPath) return undefined;
    blobPaths.push(blobPath);
  }
  return blobPaths;
}

export async function uploadDirect(file: RealFile, client: Client, over: AbortSignal): Promise<string | undefined> {
  return (await untilDecided(() => client.uploadDirect(file), over))?.body?.blobPath;
}

async function uploadPresigned(file: RealFile, client: Client, over: AbortSignal): Promise<string | undefined> {
  const signed = await untilDecided(() => client.sign(file), over);
  if (signed?.status !== 200) return undefined;
  const { uploadUrl, blobPath } = signed.body;
  const stored = await untilDecided(() => client.put(uploadUrl, file), over);
  return stored && isStored(stored) ? blobPath : undefined;
}

/** Polls until the submission is finished; returns its assets. */
async function pollUntilFinished(client: Client, over: AbortSignal): Promise<SeenAsset[] | undefined> {
  for (let pauseMillis = pollMillisMin; !over.aborted; pauseMillis = Math.min(pauseMillis * 1.4, pollMillisMax)) {
    const { status, body } = await client.read();
    if (status === 200 && (body.status === 'complete' || body.status === 'failed')) return body.assets;
    await sleep(pauseMillis);
  }
  return undefined;
}

// The submission may finish before it is cancelled; the 409 is accepted.
async function cancel(afterMillis: number, client: Client, over: AbortSignal): Promise<void> {
  await sleep(afterMillis);
  await client.read();
  await untilDecided(client.cancel, over);
}

async function retryFailed(assets: SeenAsset[], client: Client, over: AbortSignal): Promise<boolean> {
  const failed = assets.flatMap((asset, place) =>
    asset.status === 'failed' && asset.isRetryable ? { asset, place } : [],
  );
  for (const { asset, place } of failed) await untilDecided(() => client.retry(place, asset.retryCount + 1), over);
  return failed.length > 0;
}
