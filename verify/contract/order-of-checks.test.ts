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
const free = await api.makeWorkspace('free');
const pro = api.client((await api.makeWorkspace('pro')).liveKey);
const starter = await api.makeWorkspace('starter');
await api.client(starter.liveKey).post('/uploads/url', {});
await api.client(starter.liveKey).post('/submissions', {});

const asText = { body: 'filename=a/b.exe', headers: { 'content-type': 'text/plain' } };
const large = randomBytes(10 * 1024 * 1024 + 1);

const declare = (filename: string, contentType: string) =>
  pro.post('/uploads/url', { filename, contentType, sizeBytes: large.length * 1000 });

/** Most requests are wrong in two ways; the response names the error that is checked first. */
describe('the order of upload checks', () => {
  test.each([
    ['401, not 415', () => api.client('wrong').send('POST', '/uploads/direct', asText), 401],
    ['402, not 415', () => api.client(free.liveKey).send('POST', '/uploads/direct', asText), 402],
    ['429, not 415', () => api.client(starter.liveKey).send('POST', '/uploads/direct', asText), 429],
    ['415 for the request, not 422', () => pro.send('POST', '/uploads/direct?x=1', asText), 415],
    ['422, not 403', () => pro.post('/uploads/url', { filename: 'a/b.mp4', contentType: 'video/mp4', x: 1 }), 422],
    ['403, not 415 for the file', () => pro.post('/uploads/url', { filename: 'a/b.exe', contentType: 'x/y' }), 403],
    ['403, not 413', () => pro.uploadFile('a\\b.wav', large), 403],
    ['413, not 415 for the bytes', () => pro.uploadFile('a.png', large), 413],
    ['403, not 413 for the declared size', () => declare('a/b.png', 'image/png'), 403],
    ['415 for the name, not 413 for the declared size', () => declare('a.png', 'video/mp4'), 415],
    ['413 for the declared size', () => declare('a.png', 'image/png'), 413],
    ['422, not 403 for the path', () => pro.post('/uploads/parts', { blobPath: 'x', partCount: 0 }), 422],
  ])('an invalid upload request is refused with %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test('a free workspace is always refused with 402 and never with 429 (§7g)', async () => {
    const statuses = [];
    for (let turn = 0; turn < 5; turn++) statuses.push((await api.client(free.liveKey).get('/me')).status);
    expect(statuses).toEqual([402, 402, 402, 402, 402]);
  });
});

const delayed = '/submissions?simulationDelaySeconds=x';
const note = await uploadText(pro);
const answeredKey = randomUUID();
const previousSubmissionId = (await submitUnder(answeredKey, { assets: [{ blobPath: note }] })).body.submissionId;
const pair = await submit(pro, [await uploadText(pro, 'a.txt'), await uploadText(pro, 'b.txt')]);
const absent = await requestBlobPath('absent.mp4');
const wrong = await requestBlobPath('wrong.mp4', 'not a video');
const heavy = await requestBlobPath('heavy.png', new Uint8Array(assetBytesMax.image + 1));

async function requestBlobPath(filename: string, content?: Uint8Array<ArrayBuffer> | string): Promise<string> {
  const contentType = filename.endsWith('.png') ? 'image/png' : 'video/mp4';
  const { body } = await pro.post('/uploads/url', { filename, contentType });
  if (content !== undefined) await putBlob(body.uploadUrl, content);
  return body.blobPath;
}

function submitUnder(key: string, json: object) {
  return pro.post('/submissions', json, { headers: { 'idempotency-key': key } });
}

const submitPaths = (blobPaths: string[], rest: object = {}) =>
  pro.post('/submissions', { assets: blobPaths.map((blobPath) => ({ blobPath })), ...rest });
const submitNext = (blobPath: string, previousId: string, rest: object = {}) =>
  pro.post('/submissions', { assets: [{ blobPath, previousSubmissionId: previousId }], ...rest });
const unknown = { sidekickIds: [randomUUID()] };
const unknownProfile = { metadata: { assay: { profile: 'nothing' } } };

describe('the order of submission checks', () => {
  test.each([
    ['401, not 400', () => api.client('wrong').post(delayed, {}), 401],
    ['402, not 400', () => api.client(free.liveKey).post(delayed, {}), 402],
    ['429, not 400', () => api.client(starter.liveKey).post(delayed, {}), 429],
    ['400, not 422 for the body', () => pro.send('POST', delayed, asText), 400],
    ['400, not 422', () => pro.post(delayed, {}), 400],
  ])('an invalid submission is refused with %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test.each([
    ['422 for its shape, not its used key', () => submitUnder(answeredKey, { more: 1 }), 'validation_failed'],
    ['422 for its shape, not 403', () => submitPaths(['x'], { more: 1 }), 'validation_failed'],
    ['422 for its shape, not 404', () => submitNext(note, 'x', { more: 1 }), 'validation_failed'],
    [
      '422 for its used key, not 403',
      () => submitUnder(answeredKey, { assets: [{ blobPath: 'x' }] }),
      'idempotency_key_reused',
    ],
    ['403, not 404', () => submitNext('x', 'x'), 'invalid_blob_path'],
    ['403, not 422 for a repeated path', () => submitPaths(['x', 'x']), 'invalid_blob_path'],
    ['403, not 422 for a missing file', () => submitPaths([absent, 'x']), 'invalid_blob_path'],
    ['404, not 422 for an unknown sidekick', () => submitNext(note, 'x', unknown), 'previous_submission_not_found'],
    ['404, not 422 for a missing file', () => submitNext(absent, 'x'), 'previous_submission_not_found'],
    ['404, not 413', () => submitNext(heavy, 'x'), 'previous_submission_not_found'],
    ['422 for an unknown sidekick, not 413', () => submitPaths([heavy], unknown), 'unknown_sidekick'],
    [
      '404, not 422 for an unknown profile',
      () => submitNext(note, 'x', unknownProfile),
      'previous_submission_not_found',
    ],
    ['422 for an unknown profile, not 413', () => submitPaths([heavy], unknownProfile), 'unknown_profile'],
    ['422 for an ambiguous version, not 413', () => submitNext(heavy, pair.submissionId), 'ambiguous_previous_version'],
    ['422 for a missing file, not 413', () => submitPaths([heavy, absent]), 'blob_not_uploaded'],
    ['422 for a repeated path, not 415 for the bytes', () => submitPaths([wrong, wrong]), 'duplicate_blob_path'],
    ['422 for a missing file, not 415 for the bytes', () => submitPaths([wrong, absent]), 'blob_not_uploaded'],
    ['413, not 415 for the bytes', () => submitPaths([wrong, heavy]), 'asset_too_large'],
    ['415 for the bytes if all else is valid', () => submitNext(wrong, previousSubmissionId), 'content_type_mismatch'],
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
const createProfileUnder = (key: string, json: object) =>
  profileOwner.post('/profiles', json, { headers: { 'idempotency-key': key } });
const profilePath = `/profiles/${(await createProfileUnder(usedProfileKey, { name: 'ours' })).body.profileId}`;
const unknownProfilePath = `/profiles/${randomUUID()}`;
const builtInPath = `/profiles/${findDataFile('general')?.profileId}`;
const nowhere = { extends: { profile: 'nothing' } };
const contradiction = { limits: { captions: { wordsPerMinuteMajor: 1 } } };

describe('the order of profile checks', () => {
  test.each([
    ['422 for its shape, not its used key', () => createProfileUnder(usedProfileKey, { more: 1 }), 'validation_failed'],
    ['422, not 409', () => createProfileUnder(usedProfileKey, { name: 'general' }), 'idempotency_key_reused'],
    ['422 for its shape, not 409', () => profileOwner.post('/profiles', { name: 'ours', x: 1 }), 'validation_failed'],
    [
      '409, not 422 for what it extends',
      () => profileOwner.post('/profiles', { name: 'ours', ...nowhere }),
      'profile_name_taken',
    ],
    [
      '409, not 422 for a contradiction',
      () => profileOwner.post('/profiles', { name: 'ours', ...contradiction }),
      'profile_name_taken',
    ],
    [
      '422 for what it extends, not for a contradiction',
      () => profileOwner.post('/profiles', { name: 'other', ...nowhere, ...contradiction }),
      'unknown_profile',
    ],
    ['422 for its shape, not 404', () => profileOwner.patch(unknownProfilePath, { x: 1 }), 'validation_failed'],
    ['404, not 403', () => patchInSandbox(unknownProfilePath, { isDefault: true }), 'profile_not_found'],
    ['403, not 409', () => patchInSandbox(builtInPath, { isDefault: true, title: 'x' }), 'live_profile'],
    ['403, not 422', () => patchInSandbox(profilePath, nowhere), 'live_profile'],
    ['409, not 422', () => profileOwner.patch(builtInPath, nowhere), 'built_in_profile'],
    [
      '409 for a taken name, not 422',
      () => profileOwner.patch(profilePath, { name: 'general', ...nowhere }),
      'profile_name_taken',
    ],
    ['404, not 422', () => profileOwner.get(`${unknownProfilePath}/compare?with=nothing`), 'profile_not_found'],
  ])('an invalid profile request is refused with %s', async (_, ask, code) => {
    expect((await ask()).body.code).toBe(code);
  });
});

const fire = '/sandbox/events/fire';
const limited = await api.makeWorkspace('starter');
const usedUpKey = await makeUsedUpKey(limited.workspaceId, 'live');
const usedUpSandboxKey = await makeUsedUpKey(limited.workspaceId, 'sandbox');

/** Creates a key and uses up its limits for fired events and subscriptions. */
async function makeUsedUpKey(workspaceId: string, mode: string): Promise<string> {
  const { key } = (await api.admin('key', 'create', '--workspace', workspaceId, '--mode', mode)) as { key: string };
  for (let turn = 0; turn < 3; turn++) await api.client(key).post(fire, {});
  await api.client(key).post('/webhooks/subscriptions', {});
  return key;
}

describe('the order of checks when events are fired', () => {
  const live = api.client(limited.liveKey);
  const sandbox = api.client(limited.sandboxKey);
  const wrongShape = { eventType: 'asset.processing.completed', submissionId: randomUUID(), more: 1 };

  test.each([
    ['401, not 403', () => api.client('wrong').post(fire, {}), 401],
    ['402, not 403', () => api.client(free.liveKey).post(fire, {}), 402],
    ['429, not 403', () => api.client(usedUpKey).post(fire, {}), 429],
    ['429, not 422', () => api.client(usedUpSandboxKey).send('POST', fire, asText), 429],
    ['403, not 415', () => live.send('POST', fire, asText), 403],
    ['403, not 422', () => live.post(fire, {}), 403],
    ['403, not 404', () => live.post(fire, { ...wrongShape, more: undefined }), 403],
    ['422, not 404', () => sandbox.post(fire, wrongShape), 422],
    ['404 if all else is valid', () => sandbox.post(fire, { ...wrongShape, more: undefined }), 404],
  ])('an invalid request to fire events is refused with %s (§4.10b)', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });
});

const subscriptions = '/webhooks/subscriptions';
const eventTypes = ['asset.processing.completed'];
const good = { url: 'http://127.0.0.1:9/', eventTypes };
const inside = { url: 'https://10.0.0.1/', eventTypes }; // a blocked address
const subscribeUnder = (key: string, json: object) =>
  pro.post(subscriptions, json, { headers: { 'idempotency-key': key } });

const usedKey = randomUUID();
const stopped = `${subscriptions}/${(await subscribeUnder(usedKey, good)).body.subscriptionId}`;
await pro.patch(stopped, { isActive: false });
const unknownSubscriptionPath = `${subscriptions}/${randomUUID()}`;
const replayRange = (path: string, json: object, headers = {}) => pro.post(`${path}/replay`, json, { headers });
const since = new Date(0).toISOString();
const crowded = api.client((await api.makeWorkspace('pro')).liveKey);
for (let i = 0; i < subscriptionsPerWorkspaceMax; i++) await crowded.post(subscriptions, good);

describe('the order of subscription checks', () => {
  test.each([
    ['401, not 422', () => api.client('wrong').send('POST', subscriptions, asText), 401],
    ['402, not 422', () => api.client(free.liveKey).send('POST', subscriptions, asText), 402],
    ['429, not 422', () => api.client(usedUpKey).send('POST', subscriptions, asText), 429],
    ['422, not 404', () => pro.send('PATCH', unknownSubscriptionPath, asText), 422],
  ])('an invalid subscription request is refused with %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test.each([
    ['422 for its shape, not its used key', () => subscribeUnder(usedKey, { more: 1 }), 'validation_failed'],
    ['422 for its shape, not its address', () => pro.post(subscriptions, { ...inside, more: 1 }), 'validation_failed'],
    ['422 for its used key, not its address', () => subscribeUnder(usedKey, inside), 'idempotency_key_reused'],
    ['422 for its shape, not 404', () => pro.patch(unknownSubscriptionPath, { more: 1 }), 'validation_failed'],
    ['404, not 422 for its address', () => pro.patch(unknownSubscriptionPath, inside), 'subscription_not_found'],
    ['422 for its address if all else is valid', () => pro.patch(stopped, inside), 'url_not_allowed'],
    ['409, not 422 for its address', () => crowded.post(subscriptions, inside), 'subscription_limit_reached'],
    ['422 for its shape, not 409', () => replayRange(stopped, { since, more: 1 }), 'validation_failed'],
    ['404, not 409', () => replayRange(unknownSubscriptionPath, { since }), 'subscription_not_found'],
    [
      '404 for the delivery, not 409',
      () => pro.post(`${stopped}/deliveries/${randomUUID()}/replay`),
      'delivery_not_found',
    ],
    ['409 if all else is valid', () => replayRange(stopped, { since }), 'subscription_inactive'],
  ])('an invalid subscription request is refused with %s', async (_, ask, code) => {
    expect((await ask()).body.code).toBe(code);
  });

  test('a repeated Idempotency-Key gets the first response again, even if a new request would be refused', async () => {
    const path = `${subscriptions}/${(await pro.post(subscriptions, good)).body.subscriptionId}`;
    const headers = { 'idempotency-key': randomUUID() };
    expect((await replayRange(path, { since }, headers)).status).toBe(202);
    await pro.patch(path, { isActive: false }); // a new replay would be refused with 409
    const again = await replayRange(path, { since }, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    await pro.delete(path); // a new replay would now be refused with 404
    expect((await replayRange(path, { since }, headers)).status).toBe(202);
  });
});
