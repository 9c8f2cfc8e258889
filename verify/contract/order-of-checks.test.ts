import { randomBytes, randomUUID } from 'node:crypto';
import { assetBytesMax, subscriptionsPerWorkspaceMax } from '@assay/contract/limits.ts';
import { findDataFile } from '@assay/sidekicks/profiles/built-in-profiles.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import { submit, uploadText } from '@assay/testing/service/submissions.ts';
import { putBlob } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi({
  RATE_LIMITS: JSON.stringify({
    starter: { upload: 1, submission_write: 1, webhook_write: 1, sandbox: 3 },
    pro: { webhook_write: 100 },
  }),
});
const freeWorkspace = await api.makeWorkspace('free');
const proClient = api.client((await api.makeWorkspace('pro')).liveKey);
const exhaustedWorkspace = await api.makeWorkspace('starter');
await api.client(exhaustedWorkspace.liveKey).post('/uploads/url', {});
await api.client(exhaustedWorkspace.liveKey).post('/submissions', {});

const plainTextRequest = { body: 'filename=a/b.exe', headers: { 'content-type': 'text/plain' } };
const tooLargeFile = randomBytes(10 * 1024 * 1024 + 1);

const declareTooLarge = (filename: string, contentType: string) =>
  proClient.post('/uploads/url', { filename, contentType, sizeBytes: tooLargeFile.length * 1000 });

/** Most requests are wrong in two ways; the response names the error that is checked first. */
describe('the order of upload checks', () => {
  test.each([
    ['401, not 415', () => api.client('wrong').send('POST', '/uploads/direct', plainTextRequest), 401],
    ['402, not 415', () => api.client(freeWorkspace.liveKey).send('POST', '/uploads/direct', plainTextRequest), 402],
    [
      '429, not 415',
      () => api.client(exhaustedWorkspace.liveKey).send('POST', '/uploads/direct', plainTextRequest),
      429,
    ],
    ['415 for the request, not 422', () => proClient.send('POST', '/uploads/direct?x=1', plainTextRequest), 415],
    [
      '422, not 403',
      () => proClient.post('/uploads/url', { filename: 'a/b.mp4', contentType: 'video/mp4', x: 1 }),
      422,
    ],
    [
      '403, not 415 for the file',
      () => proClient.post('/uploads/url', { filename: 'a/b.exe', contentType: 'x/y' }),
      403,
    ],
    ['403, not 413', () => proClient.uploadFile('a\\b.wav', tooLargeFile), 403],
    ['413, not 415 for the content', () => proClient.uploadFile('a.png', tooLargeFile), 413],
    ['403, not 413 for the declared size', () => declareTooLarge('a/b.png', 'image/png'), 403],
    ['415 for the file name, not 413 for the declared size', () => declareTooLarge('a.png', 'video/mp4'), 415],
    ['413 for the declared size', () => declareTooLarge('a.png', 'image/png'), 413],
    ['422, not 403 for the path', () => proClient.post('/uploads/parts', { blobPath: 'x', partCount: 0 }), 422],
  ])('an invalid upload request is refused with %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test('a free workspace is always refused with 402 and never with 429 (§7g)', async () => {
    const statuses = [];
    for (let turn = 0; turn < 5; turn++) statuses.push((await api.client(freeWorkspace.liveKey).get('/me')).status);
    expect(statuses).toEqual([402, 402, 402, 402, 402]);
  });
});

const invalidDelayPath = '/submissions?simulationDelaySeconds=x';
const notePath = await uploadText(proClient);
const answeredKey = randomUUID();
const previousSubmissionId = (await submitWithKey(answeredKey, { assets: [{ blobPath: notePath }] })).body.submissionId;
const twoTextsSubmission = await submit(proClient, [
  await uploadText(proClient, 'a.txt'),
  await uploadText(proClient, 'b.txt'),
]);
const missingPath = await requestBlobPath('absent.mp4');
const wrongTypePath = await requestBlobPath('wrong.mp4', 'not a video');
const tooLargePath = await requestBlobPath('heavy.png', new Uint8Array(assetBytesMax.image + 1));

async function requestBlobPath(filename: string, content?: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const contentType = filename.endsWith('.png') ? 'image/png' : 'video/mp4';
  const { body } = await proClient.post('/uploads/url', { filename, contentType });
  if (content !== undefined) await putBlob(body.uploadUrl, content);
  return body.blobPath;
}

function submitWithKey(key: string, json: object) {
  return proClient.post('/submissions', json, { headers: { 'idempotency-key': key } });
}

const submitPaths = (blobPaths: string[], rest: object = {}) =>
  proClient.post('/submissions', { assets: blobPaths.map((blobPath) => ({ blobPath })), ...rest });
const submitNext = (blobPath: string, previousId: string, rest: object = {}) =>
  proClient.post('/submissions', { assets: [{ blobPath, previousSubmissionId: previousId }], ...rest });
const unknownSidekick = { sidekickIds: [randomUUID()] };
const unknownProfile = { metadata: { assay: { profile: 'nothing' } } };

describe('the order of submission checks', () => {
  test.each([
    ['401, not 400', () => api.client('wrong').post(invalidDelayPath, {}), 401],
    ['402, not 400', () => api.client(freeWorkspace.liveKey).post(invalidDelayPath, {}), 402],
    ['429, not 400', () => api.client(exhaustedWorkspace.liveKey).post(invalidDelayPath, {}), 429],
    ['400, not 422 for the body', () => proClient.send('POST', invalidDelayPath, plainTextRequest), 400],
    ['400, not 422', () => proClient.post(invalidDelayPath, {}), 400],
  ])('an invalid submission is refused with %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test.each([
    [
      '422 for an invalid body, not for a reused Idempotency-Key',
      () => submitWithKey(answeredKey, { more: 1 }),
      'validation_failed',
    ],
    ['422 for an invalid body, not 403', () => submitPaths(['x'], { more: 1 }), 'validation_failed'],
    ['422 for an invalid body, not 404', () => submitNext(notePath, 'x', { more: 1 }), 'validation_failed'],
    [
      '422 for a reused Idempotency-Key, not 403',
      () => submitWithKey(answeredKey, { assets: [{ blobPath: 'x' }] }),
      'idempotency_key_reused',
    ],
    ['403, not 404', () => submitNext('x', 'x'), 'invalid_blob_path'],
    ['403, not 422 for a repeated path', () => submitPaths(['x', 'x']), 'invalid_blob_path'],
    ['403, not 422 for a missing file', () => submitPaths([missingPath, 'x']), 'invalid_blob_path'],
    [
      '404, not 422 for an unknown sidekick',
      () => submitNext(notePath, 'x', unknownSidekick),
      'previous_submission_not_found',
    ],
    ['404, not 422 for a missing file', () => submitNext(missingPath, 'x'), 'previous_submission_not_found'],
    ['404, not 413', () => submitNext(tooLargePath, 'x'), 'previous_submission_not_found'],
    ['422 for an unknown sidekick, not 413', () => submitPaths([tooLargePath], unknownSidekick), 'unknown_sidekick'],
    [
      '404, not 422 for an unknown profile',
      () => submitNext(notePath, 'x', unknownProfile),
      'previous_submission_not_found',
    ],
    ['422 for an unknown profile, not 413', () => submitPaths([tooLargePath], unknownProfile), 'unknown_profile'],
    [
      '422 for an ambiguous version, not 413',
      () => submitNext(tooLargePath, twoTextsSubmission.submissionId),
      'ambiguous_previous_version',
    ],
    ['422 for a missing file, not 413', () => submitPaths([tooLargePath, missingPath]), 'blob_not_uploaded'],
    [
      '422 for a repeated path, not 415 for the content',
      () => submitPaths([wrongTypePath, wrongTypePath]),
      'duplicate_blob_path',
    ],
    [
      '422 for a missing file, not 415 for the content',
      () => submitPaths([wrongTypePath, missingPath]),
      'blob_not_uploaded',
    ],
    ['413, not 415 for the content', () => submitPaths([wrongTypePath, tooLargePath]), 'asset_too_large'],
    [
      '415 for the content if all else is valid',
      () => submitNext(wrongTypePath, previousSubmissionId),
      'content_type_mismatch',
    ],
  ])('an invalid submission is refused with %s', async (_, ask, code) => {
    expect((await ask()).body.code).toBe(code);
  });
});

const profileHome = await api.makeWorkspace('pro');
const profileOwner = api.client(profileHome.liveKey);
/** Uses a new key each time: a sandbox key has the limits of `starter`, which are low here. */
const patchInSandbox = async (path: string, json: object) => {
  const create = ['key', 'create', '--workspace', profileHome.workspaceId, '--mode', 'sandbox'];
  const { key } = (await api.admin(...create)) as { key: string };
  return api.client(key).patch(path, json);
};
const usedProfileKey = randomUUID();
const createProfileWithKey = (key: string, json: object) =>
  profileOwner.post('/profiles', json, { headers: { 'idempotency-key': key } });
const profilePath = `/profiles/${(await createProfileWithKey(usedProfileKey, { name: 'ours' })).body.profileId}`;
const unknownProfilePath = `/profiles/${randomUUID()}`;
const builtInPath = `/profiles/${findDataFile('general')?.profileId}`;
const extendsUnknownProfile = { extends: { profile: 'nothing' } };
const contradictoryLimits = { limits: { captions: { wordsPerMinuteMajor: 1 } } };

describe('the order of profile checks', () => {
  test.each([
    [
      '422 for an invalid body, not for a reused Idempotency-Key',
      () => createProfileWithKey(usedProfileKey, { more: 1 }),
      'validation_failed',
    ],
    ['422, not 409', () => createProfileWithKey(usedProfileKey, { name: 'general' }), 'idempotency_key_reused'],
    [
      '422 for an invalid body, not 409',
      () => profileOwner.post('/profiles', { name: 'ours', x: 1 }),
      'validation_failed',
    ],
    [
      '409, not 422 for an unknown base profile',
      () => profileOwner.post('/profiles', { name: 'ours', ...extendsUnknownProfile }),
      'profile_name_taken',
    ],
    [
      '409, not 422 for a contradiction',
      () => profileOwner.post('/profiles', { name: 'ours', ...contradictoryLimits }),
      'profile_name_taken',
    ],
    [
      '422 for an unknown base profile, not for a contradiction',
      () => profileOwner.post('/profiles', { name: 'other', ...extendsUnknownProfile, ...contradictoryLimits }),
      'unknown_profile',
    ],
    ['422 for an invalid body, not 404', () => profileOwner.patch(unknownProfilePath, { x: 1 }), 'validation_failed'],
    ['404, not 403', () => patchInSandbox(unknownProfilePath, { isDefault: true }), 'profile_not_found'],
    ['403, not 409', () => patchInSandbox(builtInPath, { isDefault: true, title: 'x' }), 'live_profile'],
    ['403, not 422', () => patchInSandbox(profilePath, extendsUnknownProfile), 'live_profile'],
    ['409, not 422', () => profileOwner.patch(builtInPath, extendsUnknownProfile), 'built_in_profile'],
    [
      '409 for a taken name, not 422',
      () => profileOwner.patch(profilePath, { name: 'general', ...extendsUnknownProfile }),
      'profile_name_taken',
    ],
    ['404, not 422', () => profileOwner.get(`${unknownProfilePath}/compare?with=nothing`), 'profile_not_found'],
  ])('an invalid profile request is refused with %s', async (_, ask, code) => {
    expect((await ask()).body.code).toBe(code);
  });
});

const firePath = '/sandbox/events/fire';
const limitedWorkspace = await api.makeWorkspace('starter');
const usedUpKey = await makeUsedUpKey(limitedWorkspace.workspaceId, 'live');
const usedUpSandboxKey = await makeUsedUpKey(limitedWorkspace.workspaceId, 'sandbox');

/** Creates a key and uses up its limits for fired events and subscriptions. */
async function makeUsedUpKey(workspaceId: string, mode: string): Promise<string> {
  const { key } = (await api.admin('key', 'create', '--workspace', workspaceId, '--mode', mode)) as { key: string };
  for (let turn = 0; turn < 3; turn++) await api.client(key).post(firePath, {});
  await api.client(key).post('/webhooks/subscriptions', {});
  return key;
}

describe('the order of checks when events are fired', () => {
  const live = api.client(limitedWorkspace.liveKey);
  const sandbox = api.client(limitedWorkspace.sandboxKey);
  const wrongShape = { eventType: 'asset.processing.completed', submissionId: randomUUID(), more: 1 };

  test.each([
    ['401, not 403', () => api.client('wrong').post(firePath, {}), 401],
    ['402, not 403', () => api.client(freeWorkspace.liveKey).post(firePath, {}), 402],
    ['429, not 403', () => api.client(usedUpKey).post(firePath, {}), 429],
    ['429, not 422', () => api.client(usedUpSandboxKey).send('POST', firePath, plainTextRequest), 429],
    ['403, not 415', () => live.send('POST', firePath, plainTextRequest), 403],
    ['403, not 422', () => live.post(firePath, {}), 403],
    ['403, not 404', () => live.post(firePath, { ...wrongShape, more: undefined }), 403],
    ['422, not 404', () => sandbox.post(firePath, wrongShape), 422],
    ['404 if all else is valid', () => sandbox.post(firePath, { ...wrongShape, more: undefined }), 404],
  ])('an invalid request to fire events is refused with %s (§4.10b)', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });
});

const subscriptionsPath = '/webhooks/subscriptions';
const eventTypes = ['asset.processing.completed'];
const validSubscription = { url: 'http://127.0.0.1:9/', eventTypes };
const blockedSubscription = { url: 'https://10.0.0.1/', eventTypes }; // a blocked address
const subscribeWithKey = (key: string, json: object) =>
  proClient.post(subscriptionsPath, json, { headers: { 'idempotency-key': key } });

const usedKey = randomUUID();
const stoppedPath = `${subscriptionsPath}/${(await subscribeWithKey(usedKey, validSubscription)).body.subscriptionId}`;
await proClient.patch(stoppedPath, { isActive: false });
const unknownSubscriptionPath = `${subscriptionsPath}/${randomUUID()}`;
const replayRange = (path: string, json: object, headers = {}) => proClient.post(`${path}/replay`, json, { headers });
const since = new Date(0).toISOString();
const clientAtLimit = api.client((await api.makeWorkspace('pro')).liveKey);
for (let i = 0; i < subscriptionsPerWorkspaceMax; i++) await clientAtLimit.post(subscriptionsPath, validSubscription);

describe('the order of subscription checks', () => {
  test.each([
    ['401, not 422', () => api.client('wrong').send('POST', subscriptionsPath, plainTextRequest), 401],
    ['402, not 422', () => api.client(freeWorkspace.liveKey).send('POST', subscriptionsPath, plainTextRequest), 402],
    ['429, not 422', () => api.client(usedUpKey).send('POST', subscriptionsPath, plainTextRequest), 429],
    ['422, not 404', () => proClient.send('PATCH', unknownSubscriptionPath, plainTextRequest), 422],
  ])('an invalid subscription request is refused with %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test.each([
    [
      '422 for an invalid body, not for a reused Idempotency-Key',
      () => subscribeWithKey(usedKey, { more: 1 }),
      'validation_failed',
    ],
    [
      '422 for an invalid body, not for a blocked address',
      () => proClient.post(subscriptionsPath, { ...blockedSubscription, more: 1 }),
      'validation_failed',
    ],
    [
      '422 for a reused Idempotency-Key, not for a blocked address',
      () => subscribeWithKey(usedKey, blockedSubscription),
      'idempotency_key_reused',
    ],
    [
      '422 for an invalid body, not 404',
      () => proClient.patch(unknownSubscriptionPath, { more: 1 }),
      'validation_failed',
    ],
    [
      '404, not 422 for a blocked address',
      () => proClient.patch(unknownSubscriptionPath, blockedSubscription),
      'subscription_not_found',
    ],
    [
      '422 for a blocked address if all else is valid',
      () => proClient.patch(stoppedPath, blockedSubscription),
      'url_not_allowed',
    ],
    [
      '409, not 422 for a blocked address',
      () => clientAtLimit.post(subscriptionsPath, blockedSubscription),
      'subscription_limit_reached',
    ],
    ['422 for an invalid body, not 409', () => replayRange(stoppedPath, { since, more: 1 }), 'validation_failed'],
    ['404, not 409', () => replayRange(unknownSubscriptionPath, { since }), 'subscription_not_found'],
    [
      '404 for the delivery, not 409',
      () => proClient.post(`${stoppedPath}/deliveries/${randomUUID()}/replay`),
      'delivery_not_found',
    ],
    ['409 if all else is valid', () => replayRange(stoppedPath, { since }), 'subscription_inactive'],
  ])('an invalid subscription request is refused with %s', async (_, ask, code) => {
    expect((await ask()).body.code).toBe(code);
  });

  test('a repeated Idempotency-Key gets the first response again, even if a new request would be refused', async () => {
    const path = `${subscriptionsPath}/${(await proClient.post(subscriptionsPath, validSubscription)).body.subscriptionId}`;
    const headers = { 'idempotency-key': randomUUID() };
    expect((await replayRange(path, { since }, headers)).status).toBe(202);
    await proClient.patch(path, { isActive: false }); // a new replay would be refused with 409
    const again = await replayRange(path, { since }, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    await proClient.delete(path); // a new replay would now be refused with 404
    expect((await replayRange(path, { since }, headers)).status).toBe(202);
  });
});
