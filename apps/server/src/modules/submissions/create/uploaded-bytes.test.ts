import { randomBytes } from 'node:crypto';
import { assetBytesMax, type Category } from '@assay/contract/limits.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { liftedLimits, openTestApi, testEnvironment } from '@assay/testing/service/api.ts';
import { hasProductionTimes } from '@assay/testing/service/engine-times.ts';
import { refused } from '@assay/testing/service/refused.ts';
import { putBlob, storageSettingsAt, storageUrlOf } from '@assay/testing/storage/blobs.ts';
import { putRepeated } from '@assay/testing/storage/large-blobs.ts';
import { openStorageProxy } from '@assay/testing/storage/storage-proxy.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '#config/config.ts';
import { type BlobPath, parseBlobPath } from '#modules/uploads/blob-path.ts';
import { inspectUploads } from '#modules/uploads/inspect-uploads.ts';

const MiB = 1024 * 1024;
const storageConfig = readConfig(testEnvironment());
const storage = await openStorageProxy(storageUrlOf(storageConfig));
afterAll(() => storage.close());
const api = await openTestApi({ ...liftedLimits, ...storageSettingsAt(storage.url, storageConfig) });
const { liveKey } = await api.makeWorkspace();
const client = api.client(liveKey);

type DeclaredFile = { filename: string; contentType: string };
const fileOfCategory: Record<Category, DeclaredFile> = {
  video: { filename: 'clip.mp4', contentType: 'video/mp4' },
  audio: { filename: 'tone.wav', contentType: 'audio/wav' },
  image: { filename: 'still.png', contentType: 'image/png' },
  document: { filename: 'note.txt', contentType: 'text/plain' },
};

/** Uploads a file that consists of these pieces in order. */
async function putPieces(file: DeclaredFile, pieces: Uint8Array[]): Promise<string> {
  const { body } = await client.post('/uploads/url', file);
  await putRepeated(api.config, body, pieces);
  return body.blobPath;
}

/** A file of exactly this size: this header, followed by padding. */
function padTo(sizeBytes: number, head: Uint8Array, filling = 0): Uint8Array[] {
  const large = Buffer.alloc(2 * MiB, filling);
  const rest = sizeBytes - head.length;
  const count = Math.floor(rest / large.length);
  return [head, ...Array(count).fill(large), Buffer.alloc(rest % large.length, filling)].filter(
    ({ length }) => length > 0,
  );
}

/** A zip without a directory, whose entries are further apart than one read covers. */
function makeZipWithFarApartEntries(count: number): Uint8Array {
  const gapBytes = 70 * 1024;
  return Buffer.concat(
    Array.from({ length: count }, (_, i) => {
      const name = Buffer.from(`f${i}`);
      const header = Buffer.alloc(30);
      header.write('PK\x03\x04', 'latin1');
      header.writeUInt32LE(gapBytes, 18);
      header.writeUInt32LE(gapBytes, 22);
      header.writeUInt16LE(name.length, 26);
      return Buffer.concat([header, name, Buffer.alloc(gapBytes)]);
    }),
  );
}

const submitBlob = (blobPath: string) => client.post('/submissions', { assets: [{ blobPath }] });
const noBytes = new Uint8Array();

describe('the bytes of a submitted file', () => {
  test.each([
    ['video', sample('clip.mp4'), 0],
    ['audio', sample('tone.wav'), 0],
    ['image', sample('still.png'), 0],
    ['document', noBytes, 0x61],
  ] as [Category, Uint8Array, number][])(
    '%s of the maximum size is accepted, and one byte more is refused with 413 (§8.1b)',
    async (category, head, filling) => {
      const cap = assetBytesMax[category];
      const file = fileOfCategory[category];
      expect(await submitBlob(await putPieces(file, padTo(cap, head, filling)))).toMatchObject({ status: 201 });
      expect(await submitBlob(await putPieces(file, padTo(cap + 1, head, filling)))).toMatchObject(
        refused(413, 'asset_too_large', '/assets/0/blobPath'),
      );
    },
  );

  test.each(['video', 'audio', 'document'] as Category[])(
    'only a few ranges of a large %s file are read',
    async (category) => {
      const head = { video: sample('clip.mp4'), audio: sample('tone.wav'), image: noBytes, document: noBytes }[
        category
      ];
      const blobPath = await putPieces(
        fileOfCategory[category],
        padTo(90 * MiB, head, category === 'document' ? 0x61 : 0),
      );
      const before = storage.reads.bytes;
      expect(await submitBlob(blobPath)).toMatchObject({ status: 201 });
      const read = storage.reads.bytes - before;
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(3 * MiB);
    },
  );

  test('a file whose zip entries are far apart is read at most 16 times and refused with 415', async () => {
    const blobPath = await putPieces(fileOfCategory.video, [makeZipWithFarApartEntries(1024)]);
    const before = storage.reads.count;
    expect(await submitBlob(blobPath)).toMatchObject({ status: 415 });
    expect(storage.reads.count - before).toBeLessThanOrEqual(16);
  });

  describe('50 files of two reads each, in storage that delays every read', async () => {
    const blobPaths = await Promise.all(
      Array.from({ length: 50 }, () => putPieces(fileOfCategory.document, [Buffer.alloc(100_000, 'a')])),
    );

    async function openBehind(delayMillis: number) {
      const slow = await openStorageProxy(storageUrlOf(storageConfig), { delayMillis: () => delayMillis });
      onTestFinished(() => slow.close());
      return { slow, ...(await openTestApi({ ...liftedLimits, ...storageSettingsAt(slow.url, storageConfig) })) };
    }
    const submitTo = (behind: Pick<typeof api, 'client'>) =>
      behind.client(liveKey).post('/submissions', { assets: blobPaths.map((blobPath) => ({ blobPath })) });

    test('eight files are read concurrently', async () => {
      const behind = await openBehind(50);
      expect([(await submitTo(behind)).status, behind.slow.reads.atOnceMax]).toEqual([201, 8]);
    });

    test('storage_unavailable is returned if the files cannot all be read within the time limit', async () => {
      const { handles } = await openBehind(180);
      const { blobs } = handles;
      const paths = blobPaths.map((path) => ({
        ...(parseBlobPath(path) as BlobPath),
        ...blobs.home,
        declaredBytes: null,
      }));
      const beganAt = performance.now();
      // 100 delayed reads, eight at a time, take longer than this.
      const inspecting = inspectUploads(blobs, paths, blobPaths, 2000);
      await expect(inspecting).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(performance.now() - beganAt).toBeLessThan(2500);
    });

    if (hasProductionTimes) {
      test('502 is returned if the files cannot all be read within 20 s', async () => {
        expect(await submitTo(await openBehind(1800))).toMatchObject(refused(502, 'storage_unavailable'));
      });
    }
  });

  test.each([
    ['the first bytes', [Buffer.from('\0'), Buffer.alloc(4 * MiB, 'a')]],
    ['the last bytes', [Buffer.alloc(4 * MiB, 'a'), Buffer.from('\0')]],
    ['all but the first bytes', [Buffer.alloc(64 * 1024, 'a'), randomBytes(5 * MiB)]],
  ])('415 is returned for a large text with binary data in %s', async (_, pieces) => {
    expect(await submitBlob(await putPieces(fileOfCategory.document, pieces))).toMatchObject(
      refused(415, 'content_type_mismatch'),
    );
  });

  test('a large text of multi-byte characters is accepted', async () => {
    const pieces = padTo(6 * MiB, Buffer.from('世𝄞é'.repeat(200_001)), 0x61);
    expect(await submitBlob(await putPieces(fileOfCategory.document, pieces))).toMatchObject({ status: 201 });
  });

  test('an empty file is refused with 415, whatever its type', async () => {
    const put = async (file: DeclaredFile) => {
      const { body } = await client.post('/uploads/url', file);
      await putBlob(body.uploadUrl, '');
      return body.blobPath;
    };
    expect(await submitBlob(await put(fileOfCategory.document))).toMatchObject({ status: 415 });
    expect(await submitBlob(await put(fileOfCategory.image))).toMatchObject({ status: 415 });
  });

  test.each([
    ['an image declared as a video', fileOfCategory.video, 'still.png', 'image/png'],
    ['a video declared as audio', fileOfCategory.audio, 'clip.mp4', 'video/mp4'],
    ['audio declared as an image', fileOfCategory.image, 'tone.wav', 'audio/wav'],
    ['an image declared as text', fileOfCategory.document, 'still.png', 'image/png'],
    ['an image declared as another kind of image', fileOfCategory.image, 'still.jpg', 'image/jpeg'],
  ])('415 content_type_mismatch names the actual format of %s (§4.3k, §8.1d)', async (_, file, name, found) => {
    const { status, body } = await submitBlob(await putPieces(file, [sample(name)]));
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'content_type_mismatch' });
    const named = `The file is named .${file.filename.split('.').at(-1)}, but its content is ${found}.`;
    const detail = `${named} Rename or convert the file.`;
    expect(body.errors).toEqual([{ pointer: '/assets/0/blobPath', code: 'content_type_mismatch', detail }]);
  });
});
