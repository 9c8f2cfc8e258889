import { assetBytesMax } from '@assay/contract/limits.ts';
import { mediaTypes } from '@assay/contract/media-types.ts';
import { openTestApi } from '@assay/testing/service/api.ts';
import { openFullWorkspace, smallQuota } from '@assay/testing/service/full-workspace.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { describe, expect, test } from 'vitest';

const api = await openTestApi(smallQuota);
const workspace = await api.makeWorkspace();
const client = api.client(workspace.liveKey);
const createUrl = (filename: unknown, contentType: unknown) => client.post('/uploads/url', { filename, contentType });
const declare = (filename: string, contentType: string, sizeBytes: unknown) =>
  client.post('/uploads/url', { filename, contentType, sizeBytes });

describe('POST /uploads/url', () => {
  describe('200: a URL for one file', () => {
    test('the path contains the workspace and file name, and the URL expires after an hour (§2.5a, §4.1a, §4.1d)', async () => {
      const before = Math.floor(Date.now() / 1000) * 1000;
      const { status, body } = await createUrl('spring ad.mp4', 'video/mp4');
      expect(status).toBe(200);
      expect(body.blobPath).toMatch(new RegExp(`^${workspace.workspaceId}/[0-9a-f-]{36}-spring ad\\.mp4$`));
      const lifetime = Date.parse(body.expiresAt) - before;
      expect(lifetime).toBeGreaterThanOrEqual(3_600_000);
      expect(lifetime).toBeLessThan(3_600_000 + 30_000);
      if (api.config.OBJECT_STORE === 's3') return;
      expect(new URL(body.uploadUrl).searchParams.get('sp')).toBe('cw');
      expect(new URL(body.uploadUrl).searchParams.has('st')).toBe(false);
    });

    test('every type is accepted with each of its aliases and extensions', async () => {
      for (const { type, aliases, extensions } of mediaTypes) {
        for (const name of [type, ...aliases]) {
          for (const extension of extensions) {
            expect(await createUrl(`a.${extension}`, name), `${name} .${extension}`).toMatchObject({ status: 200 });
          }
        }
      }
    });

    test.each(['Video/MP4', 'video/mp4; codecs="avc1.42E01E"', ' video/mp4 ;x=1'])(
      'the content type %s is accepted, whatever its case and parameters',
      async (type) => expect(await createUrl('a.MP4', type)).toMatchObject({ status: 200 }),
    );

    test('a file name in Unicode NFD is normalised to NFC in the blobPath', async () => {
      const { body } = await createUrl('Cafe\u0301.mp4', 'video/mp4');
      expect(body.blobPath.endsWith('-Caf\u00e9.mp4')).toBe(true);
    });

    test('each upload of the same name gets a new path', async () => {
      const responses = await Promise.all(Array.from({ length: 200 }, () => createUrl('ad.mp4', 'video/mp4')));
      expect(new Set(responses.map(({ body }) => body.blobPath)).size).toBe(200);
    });

    test('a file name of 255 bytes is accepted', async () => {
      expect(await createUrl(`${'a'.repeat(251)}.mp4`, 'video/mp4')).toMatchObject({ status: 200 });
    });

    // The limit applies to the name in NFC, because NFD needs more bytes.
    test('a file name of 753 bytes as sent is accepted if it has 255 bytes in NFC', async () => {
      const name = `${'\uac01'.repeat(83).normalize('NFD')}xx.mp4`;
      expect([name, name.normalize('NFC')].map((one) => Buffer.byteLength(one))).toEqual([753, 255]);
      expect(await createUrl(name, 'video/mp4')).toMatchObject({ status: 200 });
    });
  });

  describe('403: an invalid file name (§4.1e, §7h)', () => {
    test.each([
      ['a separator', 'a/b.mp4'],
      ['a path to a parent folder', '../a.mp4'],
      ['a backslash', 'a\\b.mp4'],
      ['NUL', 'a\0.mp4'],
      ['a control character', 'a\n.mp4'],
      ['a C1 control character', 'a\u0085.mp4'],
      ['a character that changes the reading direction', 'a\u202e4pm.mp4'],
      ['a lone surrogate', 'a\ud800.mp4'],
      ['a noncharacter', 'a\ufffe.mp4'],
      ['only dots', '..'],
      ['a leading dot', '.mp4'],
      ['a leading space', ' a.mp4'],
      ['a trailing space', 'a.mp4 '],
      ['a trailing dot', 'a.mp4.'],
      ['256 bytes', `${'a'.repeat(252)}.mp4`],
      ['256 bytes in 129 characters', `${'é'.repeat(126)}.mp4`],
    ])('a file name with %s is refused with invalid_filename', async (_, filename) => {
      expect(await createUrl(filename, 'video/mp4')).toMatchObject(refused(403, 'invalid_filename'));
    });

    test.each([
      ['1,025 bytes as sent', `${'a'.repeat(1021)}.mp4`],
      ['1 MB of combining marks, which would take minutes to normalise', `a${'\u0301\u0323'.repeat(240_000)}.mp4`],
    ])('the error detail gives both limits for a file name of %s', async (_, filename) => {
      const { status, body } = await createUrl(filename, 'video/mp4');
      expect([status, body.code]).toEqual([403, 'invalid_filename']);
      expect(body.detail).toContain('up to 255 bytes in UTF-8, and up to 1,024 bytes before');
    });

    test('the file name is checked before the content type', async () => {
      expect(await createUrl('a/b.exe', 'text/html')).toMatchObject({ status: 403 });
    });
  });

  describe('413: a declared size over the limit of the category', () => {
    test.each([
      ['a.mp4', 'video/mp4', assetBytesMax.video, 'Videos can be up to 5 GiB'],
      ['a.mp3', 'audio/mpeg', assetBytesMax.audio, 'Audio files can be up to 500 MiB'],
      ['a.png', 'image/png', assetBytesMax.image, 'Images can be up to 50 MiB'],
      ['a.pdf', 'application/pdf', assetBytesMax.document, 'Documents can be up to 100 MiB'],
    ])(
      '%s is refused above the size limit, and accepted at the limit',
      async (filename, contentType, bytesMax, text) => {
        expect(await declare(filename, contentType, bytesMax)).toMatchObject({ status: 200 });
        expect(await declare(filename, contentType, bytesMax + 1)).toMatchObject({
          status: 413,
          body: { code: 'asset_too_large', errors: [{ pointer: '/sizeBytes', detail: expect.stringContaining(text) }] },
        });
      },
    );
  });

  describe('415: a type that is not accepted', () => {
    test.each([
      'image/svg+xml',
      'text/html',
      'application/zip',
      'application/msword',
      'application/octet-stream',
      '',
      'x',
    ])('content_type_not_allowed is returned for the type "%s" (§4.1c, §8.1d)', async (type) =>
      expect(await createUrl('a.mp4', type)).toMatchObject(refused(415, 'content_type_not_allowed')),
    );

    test.each([
      ['a.mov', 'video/mp4'],
      ['a', 'video/mp4'],
      ['a.mp4.exe', 'video/mp4'],
      ['a.svg', 'image/png'],
    ])('content_type_mismatch is returned for %s declared as %s', async (filename, type) => {
      expect(await createUrl(filename, type)).toMatchObject(refused(415, 'content_type_mismatch'));
    });
  });

  describe('422: an invalid request', () => {
    test('a URL for which the workspace has no room is refused with storage_quota_reached', async () => {
      const { live } = await openFullWorkspace(api);
      const response = await live.post('/uploads/url', { filename: 'a.txt', contentType: 'text/plain', sizeBytes: 1 });
      expect(response).toMatchObject(refused(422, 'storage_quota_reached', '/sizeBytes'));
    });

    const at = (pointer: string, code?: string) => ({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer, ...(code && { code }), detail: expect.any(String) }] },
    });

    const file = { filename: 'a.mp4', contentType: 'video/mp4' };
    test.each([
      ['an empty file name', { ...file, filename: '' }, '/filename', 'too_small'],
      ['a missing member', { filename: 'a.mp4' }, '/contentType', 'invalid_type'],
      ['a null member', { ...file, contentType: null }, '/contentType', undefined],
      ['an unknown member', { ...file, 'a/b~': 1 }, '/a~1b~0', 'unknown_member'],
    ])('%s is refused (§4.1b, §7n)', async (_, json, pointer, code) => {
      expect(await client.post('/uploads/url', json)).toMatchObject(at(pointer, code));
    });

    test('all errors are returned at once', async () => {
      const { body } = await client.post('/uploads/url', { filename: 1, contentType: 2, x: 3 });
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
        '/contentType',
        '/filename',
        '/x',
      ]);
    });

    test.each([
      ['malformed JSON', '{"filename":'],
      ['an array', '[]'],
      ['empty', ''],
    ])('a body that is %s is refused', async (_, text) => {
      const response = await client.send('POST', '/uploads/url', {
        body: new TextEncoder().encode(text),
        headers: { 'content-type': 'application/json' },
      });
      expect(response).toMatchObject(at(''));
    });

    test('a fractional or negative size is refused, and a null size counts as absent', async () => {
      expect(await declare('a.png', 'image/png', null)).toMatchObject({ status: 200 });
      expect(await declare('a.png', 'image/png', 1.5)).toMatchObject({ status: 422 });
      expect(await declare('a.png', 'image/png', -1)).toMatchObject({ status: 422 });
    });
  });
});
