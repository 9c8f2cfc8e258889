import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { settingsAtOrigin, stores } from '@assay/testing/storage/stores.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BlobArchived, BlobChanged } from './blob-failures.ts';
import { openBlobs } from './blobs.ts';
import { type StoreSettings, storeKinds } from './stores.ts';

const signal = AbortSignal.timeout(600_000);
const chunkBytes = 64 * 1024;
const newName = (filename = 'a.txt') => `${randomUUID()}/${randomUUID()}-${filename}`;
const unavailable = { code: 'storage_unavailable' };

/** A storage that gives every request the same response. */
async function openFixedStorage(settings: StoreSettings, answer: RequestListener): Promise<StoreSettings> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return settingsAtOrigin(settings, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function inContainer(settings: StoreSettings, container: string): StoreSettings {
  return settings.store === 's3' ? { ...settings, bucket: container } : { ...settings, container };
}

/** How each store says that it does not accept a request of the service. */
const rejections: Record<StoreSettings['store'], [reason: string, status: number, code: string][]> = {
  s3: [
    ['a clock that differs', 403, 'RequestTimeTooSkewed'],
    ['a session that has expired', 400, 'ExpiredToken'],
    ['a missing permission', 403, 'AccessDenied'],
  ],
  azure: [
    ['a token that has expired', 401, 'InvalidAuthenticationInfo'],
    ['a header that cannot be verified', 400, 'InvalidAuthenticationInfo'],
    ['a missing permission', 403, 'AuthorizationPermissionMismatch'],
  ],
};

const errorText = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

describe.each(stores)('storage in $name', ({ settings }) => {
  const blobs = openBlobs(settings);
  const { home } = blobs;

  async function put(name: string, bytes: string | Buffer) {
    const buffer = Buffer.from(bytes);
    await blobs.put(name, () => Readable.from([buffer]), buffer.length, 'text/plain');
  }
  async function putNew(bytes: string | Buffer) {
    const name = newName();
    await put(name, bytes);
    onTestFinished(() => blobs.removeAll(home, name));
    return name;
  }
  async function open(name: string) {
    const snapshot = await blobs.openSnapshot(home, name, signal);
    if (!snapshot) throw new Error('there is no blob');
    return snapshot;
  }
  async function download(name: string, etag: string) {
    const bytes = await blobs.download(home, name, etag, signal);
    return bytes && Buffer.concat(await Array.fromAsync(bytes));
  }

  test('the bytes of a blob are read back unchanged, in ranges and as a whole', async () => {
    const bytes = randomBytes(3 * chunkBytes + 17);
    const name = await putNew(bytes);
    const snapshot = await open(name);
    expect(snapshot.sizeBytes).toBe(bytes.length);
    for (const [offset, length] of [
      [0, 10],
      [chunkBytes - 5, 10], // in two chunks
      [10, 2 * chunkBytes],
      [bytes.length - 3, 10], // beyond the end
      [bytes.length, 1],
    ] as const) {
      const target = Buffer.alloc(length);
      const filled = await snapshot.read(target, offset);
      expect(target.subarray(0, filled).equals(bytes.subarray(offset, offset + length)), `${offset}`).toBe(true);
    }
    expect((await download(name, snapshot.etag))?.equals(bytes)).toBe(true);
  });

  test('an empty blob has an ETag and no bytes', async () => {
    const name = await putNew('');
    const { etag, sizeBytes, read } = await open(name);
    expect([sizeBytes, await read(Buffer.alloc(5), 0)]).toEqual([0, 0]);
    expect((await download(name, etag))?.length).toBe(0);
  });

  test('reading a blob that is missing or deleted returns undefined', async () => {
    expect(await blobs.openSnapshot(home, newName(), signal)).toBeUndefined();
    expect(await download(newName(), '"x"')).toBeUndefined();
    const name = await putNew('hello');
    const { etag } = await open(name);
    await blobs.removeAll(home, name);
    expect(await blobs.openSnapshot(home, name, signal)).toBeUndefined();
    expect(await download(name, etag)).toBeUndefined();
  });

  test('reading a blob by its ETag never returns the bytes of a later version', async () => {
    const name = await putNew(Buffer.alloc(2 * chunkBytes, 'a'));
    const snapshot = await open(name);
    await put(name, Buffer.alloc(2 * chunkBytes, 'b'));
    await expect(snapshot.read(Buffer.alloc(1), chunkBytes)).rejects.toBeInstanceOf(BlobChanged);
    await expect(download(name, snapshot.etag)).rejects.toBeInstanceOf(BlobChanged);
    expect((await open(name)).etag).not.toBe(snapshot.etag);
  });

  test('deleting a prefix deletes all blobs under it and no others', async () => {
    const prefix = `${randomUUID()}/${randomUUID()}-`;
    const names = ['a.txt', 'ä ö.txt', '%2F+&.txt', 'b/c.txt'].map((filename) => prefix + filename);
    const other = `${prefix.slice(0, -1)}x-a.txt`;
    for (const name of [...names, other]) await put(name, 'hello');
    await blobs.removeAll(home, prefix);
    for (const name of names) expect(await blobs.openSnapshot(home, name, signal), name).toBeUndefined();
    expect((await open(other)).sizeBytes).toBe(5);
    await blobs.removeAll(home, other);
    await blobs.removeAll(home, prefix); // a prefix without blobs is not an error
  });

  test('the health check of an existing container succeeds', async () => {
    await blobs.checkHealth();
  });

  test('a store or account that is not configured is reported as storage_unavailable', async () => {
    const others = storeKinds.filter((store) => store !== home.store).map((store) => ({ ...home, store }));
    for (const location of [...others, { ...home, account: 'another' }]) {
      const name = newName();
      await expect(blobs.signUpload(location, name, new Date())).rejects.toMatchObject(unavailable);
      await expect(blobs.openSnapshot(location, name, signal)).rejects.toMatchObject(unavailable);
      await expect(blobs.download(location, name, '"x"', signal)).rejects.toMatchObject(unavailable);
      await expect(blobs.removeAll(location, name)).rejects.toMatchObject(unavailable);
    }
  });

  test('a missing container is reported as storage_unavailable, and not as missing blobs', async () => {
    const astray = openBlobs(inContainer(settings, `gone-${randomUUID()}`));
    const name = newName();
    await expect(astray.checkHealth()).rejects.toMatchObject(unavailable);
    await expect(astray.openSnapshot(astray.home, name, signal)).rejects.toMatchObject(unavailable);
    await expect(astray.download(astray.home, name, '"x"', signal)).rejects.toMatchObject(unavailable);
    await expect(astray.removeAll(astray.home, name)).rejects.toMatchObject(unavailable);
    await expect(astray.put(name, () => Readable.from(['x']), 1, 'text/plain')).rejects.toMatchObject(unavailable);
  });

  test.each([
    ['an error of the server', 503, 'InternalError'],
    ['a limit on the rate of requests', 429, 'TooManyRequests'],
    // Azure's library cannot distinguish a 404 without a code from the 404 of a missing blob.
    ...(settings.store === 's3' ? [['a 404 that is not from S3', 404, ''] as const] : []),
  ] as const)('%s is reported as storage_unavailable', async (_, status, code) => {
    const broken = openBlobs(
      await openFixedStorage(settings, (_, response) => response.writeHead(status).end(code && errorText(code))),
    );
    const name = newName();
    await expect(broken.checkHealth()).rejects.toMatchObject(unavailable);
    await expect(broken.openSnapshot(home, name, signal)).rejects.toMatchObject(unavailable);
    await expect(broken.download(home, name, '"x"', signal)).rejects.toMatchObject(unavailable);
    await expect(broken.removeAll(home, name)).rejects.toMatchObject(unavailable);
    await expect(broken.put(name, () => Readable.from(['x']), 1, 'text/plain')).rejects.toMatchObject(unavailable);
  });

  test('a server that is down is reported as storage_unavailable', async () => {
    const down = openBlobs(settingsAtOrigin(settings, 'http://127.0.0.1:1'));
    await expect(down.checkHealth()).rejects.toMatchObject(unavailable);
    await expect(down.openSnapshot(home, newName(), signal)).rejects.toMatchObject(unavailable);
    await expect(down.put(newName(), () => Readable.from(['x']), 1, 'text/plain')).rejects.toMatchObject(unavailable);
  });

  test('an archived blob is reported as archived', async () => {
    const code = home.store === 's3' ? 'InvalidObjectState' : 'BlobArchived';
    const archive = openBlobs(
      await openFixedStorage(settings, (_, response) =>
        response
          .writeHead(home.store === 's3' ? 403 : 409, { 'x-ms-error-code': code, 'content-type': 'application/xml' })
          .end(errorText(code)),
      ),
    );
    await expect(archive.openSnapshot(home, newName(), signal)).rejects.toBeInstanceOf(BlobArchived);
    await expect(archive.download(home, newName(), '"x"', signal)).rejects.toBeInstanceOf(BlobArchived);
  });

  // §4.2f: an internal error for callers, because the operator has to act, and an outage for workers.
  const rejected = { name: 'Outage', code: 'internal_error' };

  test('wrong credentials are an outage of their own', async () => {
    const secretAccessKey = randomBytes(20).toString('hex');
    const wrong: StoreSettings =
      settings.store === 's3'
        ? { ...settings, credentials: { accessKeyId: settings.credentials?.accessKeyId ?? '', secretAccessKey } }
        : { ...settings, accountKey: randomBytes(64).toString('base64') };
    const opening = openBlobs(wrong).openSnapshot(home, newName(), signal);
    await expect(opening).rejects.toMatchObject(rejected);
  });

  test.each(rejections[settings.store])('%s is an outage like wrong credentials', async (_, status, code) => {
    const rejecting = openBlobs(
      await openFixedStorage(settings, (_, response) =>
        response.writeHead(status, { 'x-ms-error-code': code, 'content-type': 'application/xml' }).end(errorText(code)),
      ),
    );
    await expect(rejecting.openSnapshot(home, newName(), signal)).rejects.toMatchObject(rejected);
    await expect(rejecting.download(home, newName(), '"x"', signal)).rejects.toMatchObject(rejected);
    await expect(rejecting.put(newName(), () => Readable.from(['x']), 1, 'text/plain')).rejects.toMatchObject(rejected);
  });

  test('a blob in another configured store is read and deleted in that store', async () => {
    const other = stores.find((store) => store.settings !== settings)?.settings as StoreSettings;
    const both = openBlobs(other, settings);
    expect(both.home.store).not.toBe(home.store);
    const name = await putNew('hello');
    expect((await both.openSnapshot(home, name, signal))?.sizeBytes).toBe(5);
    expect(await both.openSnapshot(both.home, name, signal)).toBeUndefined();
    await both.removeAll(home, name);
    expect(await blobs.openSnapshot(home, name, signal)).toBeUndefined();
  });
});
