import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openTestApi } from './support/api.ts';

const api = await openTestApi({ RATE_LIMITS: JSON.stringify({ starter: { upload: 1 } }) });
const free = await api.makeWorkspace('free');
const pro = api.client((await api.makeWorkspace('pro')).liveKey);
const starter = await api.makeWorkspace('starter');
await api.client(starter.liveKey).post('/uploads/url', {});

const asText = { body: 'filename=a/b.exe', headers: { 'content-type': 'text/plain' } };
const large = randomBytes(10 * 1024 * 1024 + 1);

/** Each request is wrong in two ways; the answer speaks of the one that is looked at first. */
describe('the order of the checks', () => {
  test.each([
    ['401 before 415', () => api.client('wrong').send('POST', '/uploads/url', asText), 401],
    ['402 before 415', () => api.client(free.liveKey).send('POST', '/uploads/url', asText), 402],
    ['429 before 415', () => api.client(starter.liveKey).send('POST', '/uploads/url', asText), 429],
    ['415 of the request before 422', () => pro.send('POST', '/uploads/url', { ...asText, body: '{' }), 415],
    ['422 before 403', () => pro.post('/uploads/url', { filename: 'a/b.mp4', contentType: 'video/mp4', x: 1 }), 422],
    ['403 before 415 of the file', () => pro.post('/uploads/url', { filename: 'a/b.exe', contentType: 'x/y' }), 403],
    ['403 before 413', () => pro.uploadFile('a\\b.wav', large), 403],
    ['413 before 415 of the bytes', () => pro.uploadFile('a.png', large), 413],
  ])('%s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  test('402 before 429: a free workspace is never told to wait', async () => {
    const statuses = [];
    for (let turn = 0; turn < 5; turn++) statuses.push((await api.client(free.liveKey).get('/me')).status);
    expect(statuses).toEqual([402, 402, 402, 402, 402]);
  });
});
