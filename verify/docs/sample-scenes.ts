import { randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteName } from '@assay/contract/routes.ts';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import type { Client } from '@assay/testing/service/client.ts';
import { type SubmissionIds, submit, untilFinished, uploadText } from '@assay/testing/service/submissions.ts';
import { fire, isNonePending, subscribe, untilDeliveries } from '@assay/testing/service/webhooks.ts';

/** Clients of one workspace, of which `manager` may manage keys, the address of a receiver, and the folder in which the samples run. */
export type SampleContext = { live: Client; sandbox: Client; manager: Client; receiverUrl: string; folder: string };
export type Variables = Record<string, string>;
type PrepareScene = (context: SampleContext) => Promise<Variables>;

/** Functions that create what the samples of a page need, by the tag of the page's endpoints. */
export const scenes: Record<string, PrepareScene> = {
  Uploads: async ({ sandbox, folder }) => {
    writeNotice(folder);
    await makeVideo(folder);
    // Large enough that clients use an upload URL. The video is not analysed, because the key is a sandbox key.
    appendFileSync(join(folder, 'spring-ad.mp4'), Buffer.alloc(2 * 1024 * 1024));
    return { BLOB_PATH: await requestVideoUpload(sandbox) };
  },
  Submissions: async ({ sandbox, folder }) => {
    writeNotice(folder);
    return { BLOB_PATH: await uploadText(sandbox, 'notice.txt'), ...(await simulate(sandbox)) };
  },
  Results: async ({ live, folder }) => {
    await makeVideo(folder);
    const { body } = await live.uploadFile('spring-ad.mp4', readFileSync(join(folder, 'spring-ad.mp4')));
    const { blobPath } = body;
    const { submissionId: previousSubmissionId } = await untilComplete(live, await submit(live, [blobPath]));
    const created = await untilComplete(live, await submit(live, [{ blobPath, previousSubmissionId }]));
    const ids = idsOf(created);
    const asset = `/submissions/${ids.SUBMISSION_ID}/assets/${ids.ASSET_ID}`;
    const flashes = await live.get(`${asset}/issues?ruleCode=PSE-LUMINANCE`);
    return { ...ids, ISSUE_ID: flashes.body.issues[0].id };
  },
  Realtime: async () => ({}),
  Sidekicks: async ({ sandbox }) => {
    const { sidekicks } = (await sandbox.get('/sidekicks')).body;
    return { SIDEKICK_ID: sidekicks[0].sidekickId };
  },
  Profiles: async ({ sandbox }) => createProfileIn(sandbox),
  Webhooks: async ({ sandbox, receiverUrl }) => {
    const subscription = await subscribe(sandbox, receiverUrl);
    const { SUBMISSION_ID } = await simulate(sandbox);
    await fire(sandbox, SUBMISSION_ID);
    const [delivery] = await untilDeliveries(sandbox, subscription, isNonePending);
    return { SUBSCRIPTION_ID: subscription.subscriptionId, DELIVERY_ID: delivery.deliveryId };
  },
  Sandbox: async ({ sandbox, receiverUrl }) => {
    await subscribe(sandbox, receiverUrl);
    return simulate(sandbox);
  },
  Account: async () => ({}),
  Keys: ({ manager }) => createKeyIn(manager),
};

const beginLongRun: PrepareScene = async ({ sandbox }) => idsOf(await beginRun(sandbox, 30));
const beginShortRun: PrepareScene = async ({ sandbox }) => idsOf(await beginRun(sandbox, 1));

/** Creates what a sample changes or deletes, anew for each of the endpoint's three samples. */
export const freshScenes: Partial<Record<RouteName, PrepareScene>> = {
  createUploadParts: async ({ sandbox }) => ({ BLOB_PATH: await requestVideoUpload(sandbox) }),
  completeUploadParts: async ({ sandbox }) => {
    const blobPath = await requestVideoUpload(sandbox);
    const { body } = await sandbox.post('/uploads/parts', { blobPath, partCount: 1 });
    await fetch(body.parts[0].uploadUrl, { method: body.method, headers: body.headers, body: 'bytes' });
    return { BLOB_PATH: blobPath };
  },
  createProfile: async () => ({ PROFILE_NAME: `new-${randomUUID()}` }),
  updateProfile: ({ sandbox }) => createProfileIn(sandbox),
  deleteProfile: ({ sandbox }) => createProfileIn(sandbox),
  deleteSubmission: ({ sandbox }) => simulate(sandbox),
  cancelSubmission: beginLongRun,
  retryAsset: async ({ sandbox }) => {
    const created = await beginRun(sandbox, 30); // so that it is not finished before it is cancelled
    const { status } = await sandbox.post(`/submissions/${created.submissionId}/cancel`);
    if (status !== 202) throw new Error(`the cancellation was answered with ${status}`);
    return idsOf(created);
  },
  openRealtime: beginShortRun,
  createTicket: beginShortRun,
  updateKey: ({ manager }) => createKeyIn(manager),
  revokeKey: ({ manager }) => createKeyIn(manager),
  deleteSubscription: async ({ sandbox, receiverUrl }) => {
    return { SUBSCRIPTION_ID: (await subscribe(sandbox, receiverUrl)).subscriptionId };
  },
};

async function createKeyIn(manager: Client): Promise<Variables> {
  const { body } = await manager.post('/keys', { name: 'Samples', scopes: ['read', 'submit'] });
  return { KEY_ID: body.keyId };
}

async function createProfileIn(sandbox: Client): Promise<Variables> {
  const limits = { loudness: { target: -16 } };
  const { body } = await sandbox.post('/profiles', { name: `ours-${randomUUID()}`, limits });
  return { PROFILE_ID: body.profileId, PROFILE_NAME: body.name };
}

async function requestVideoUpload(sandbox: Client): Promise<string> {
  const { body } = await sandbox.post('/uploads/url', { filename: 'spring-ad.mp4', contentType: 'video/mp4' });
  return body.blobPath;
}

const writeNotice = (folder: string) => writeFileSync(join(folder, 'notice.txt'), 'Spring is here.\n');

/** The quickstart's video: it flashes and is too loud. */
async function makeVideo(folder: string): Promise<void> {
  const flashes = "drawbox=c=black:t=fill:enable='mod(floor(t*10),2)'";
  const picture = ['-f', 'lavfi', '-i', `color=white:s=320x180:r=25:d=3,${flashes}`];
  const made = await makeWithFfmpeg('.mp4', [...picture, '-f', 'lavfi', '-i', 'sine=d=3', '-pix_fmt', 'yuv420p']);
  copyFileSync(made, join(folder, 'spring-ad.mp4'));
}

/** Submits a file with a sandbox key; the simulated run takes `delaySeconds`. */
async function beginRun(sandbox: Client, delaySeconds: number) {
  return submit(sandbox, [await uploadText(sandbox, 'notice.txt')], {}, `?simulationDelaySeconds=${delaySeconds}`);
}

/** Creates a submission with a sandbox key and waits until it has finished. */
async function simulate(sandbox: Client) {
  return idsOf(await untilComplete(sandbox, await beginRun(sandbox, 0)));
}

async function untilComplete(client: Client, created: SubmissionIds): Promise<SubmissionIds> {
  const { status, assets } = await untilFinished(client, created.submissionId);
  if (status !== 'complete') throw new Error(`the submission is ${status}: ${JSON.stringify(assets)}`);
  return created;
}

function idsOf({ submissionId, assets }: SubmissionIds) {
  return { SUBMISSION_ID: submissionId, ASSET_ID: assets[0]?.assetId ?? '' };
}
