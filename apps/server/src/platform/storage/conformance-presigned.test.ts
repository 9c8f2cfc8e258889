import { randomUUID } from 'node:crypto';
import { originOf, stores } from '@assay/testing/storage/stores.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBlobs } from './blobs.ts';
import type { StoreSettings } from './stores.ts';

const signal = AbortSignal.timeout(600_000);
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const hourSeconds = 3600;

const s3Settings = stores.find(({ name }) => name === 'versitygw')?.settings as StoreSettings;

// §4.1: PUT with this header, and without an API key.
const put = (url: string | URL, body = 'bytes', headers = {}) =>
  fetch(url, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob', ...headers }, body });

describe.each(stores)('a presigned URL of $name', ({ name: store, settings, storedStatus }) => {
  const blobs = openBlobs(settings);
  const { home } = blobs;

  async function issue(expiresAt = inSeconds(hourSeconds), filename = "ad (1) é&?#%+'!*.mp4") {
    const name = `${randomUUID()}/${randomUUID()}-${filename}`;
    onTestFinished(() => blobs.removeAll(home, name));
    return { name, url: new URL(await blobs.signUpload(home, name, expiresAt)) };
  }
  async function readText(name: string) {
    const snapshot = await blobs.openSnapshot(home, name, signal);
    if (!snapshot) return undefined;
    const target = Buffer.alloc(snapshot.sizeBytes);
    await snapshot.read(target, 0);
    return target.toString();
  }

  test('accepts a PUT with x-ms-blob-type, and can be used repeatedly', async () => {
    const { name, url } = await issue();
    expect((await put(url, 'first')).status).toBe(storedStatus);
    expect((await put(url, 'second')).status).toBe(storedStatus);
    expect(await readText(name)).toBe('second');
  });

  test('accepts any content type, and a client that sends no other header', async () => {
    const { name, url } = await issue();
    for (const headers of [{ 'content-type': 'video/mp4' }, { 'content-type': 'text/plain; charset=utf-8' }, {}]) {
      expect((await put(url, 'typed', headers)).status).toBe(storedStatus);
    }
    expect(await readText(name)).toBe('typed');
  });

  test('can be used by a web page of any origin', async () => {
    const { url } = await issue();
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-ms-blob-type',
    };
    const asked = await fetch(url, { method: 'OPTIONS', headers });
    expect([asked.ok, asked.headers.get('access-control-allow-origin')]).toEqual([
      true,
      expect.stringMatching(/^(\*|https:\/\/app\.example\.com)$/),
    ]);
    const response = await put(url, 'bytes', { origin: headers.origin });
    expect([response.status, response.headers.has('access-control-allow-origin')]).toEqual([storedStatus, true]);
  });

  test.each(['GET', 'HEAD', 'DELETE', 'POST'])('does not permit %s', async (method) => {
    const { name, url } = await issue();
    await put(url);
    expect((await fetch(url, { method })).status).toBeGreaterThanOrEqual(400);
    expect(await readText(name)).toBe('bytes');
  });

  test('does not permit listing the container', async () => {
    const { url } = await issue();
    url.pathname = url.pathname.slice(0, url.pathname.indexOf(`/${home.container}/`) + home.container.length + 1);
    for (const [name, value] of Object.entries({ restype: 'container', comp: 'list', 'list-type': '2' })) {
      url.searchParams.set(name, value);
    }
    expect((await fetch(url)).status).toBe(403);
  });

  test('does not permit writing a different blob', async () => {
    const [mine, other] = [await issue(), await issue()];
    other.url.search = mine.url.search;
    expect((await put(other.url)).status).toBe(403);
    const elsewhere = new URL(mine.url);
    elsewhere.pathname = elsewhere.pathname.replace(`/${home.container}/`, '/another/');
    expect((await put(elsewhere)).status).toBeGreaterThanOrEqual(400);
    expect([await readText(mine.name), await readText(other.name)]).toEqual([undefined, undefined]);
  });

  // Unlike AWS, MinIO accepts `x-amz-…` headers that are not signed: see docs/decisions/0030.
  test(`${store === 'MinIO' ? 'permits' : 'does not permit'} copying a different blob`, async () => {
    const [source, target] = [await issue(undefined, 'a.mp4'), await issue()];
    await put(source.url, 'of somebody else');
    const path = `/${home.container}/${source.name}`;
    await put(target.url, '', { 'x-amz-copy-source': path, 'x-ms-copy-source': `${originOf(settings)}${path}` });
    expect((await readText(target.name)) === 'of somebody else').toBe(store === 'MinIO');
  });

  test('is refused if any of its parameters is changed', async () => {
    const { name, url } = await issue();
    for (const parameter of [...url.searchParams.keys()]) {
      const changed = new URL(url);
      changed.searchParams.set(parameter, changedValue(parameter, url.searchParams.get(parameter) as string));
      expect((await put(changed)).status, parameter).toBeGreaterThanOrEqual(400);
    }
    expect(await readText(name)).toBeUndefined();
  });

  test('is accepted until it expires, and refused afterwards', async () => {
    expect((await put((await issue(inSeconds(-2))).url)).status).toBe(403);
    expect((await put((await issue(inSeconds(60))).url)).status).toBe(storedStatus);
  });

  test('is accepted at once if the clock of the service is 10 minutes ahead', async () => {
    expect((await put((await issue(inSeconds(hourSeconds + 600))).url)).status).toBe(storedStatus);
  });
});

describe.each(stores)('a presigned URL of $name for a file of a known size', ({ settings, storedStatus }) => {
  const blobs = openBlobs(settings);
  const { home } = blobs;

  async function issue(sizeBytes: number) {
    const name = `${randomUUID()}/${randomUUID()}-a.txt`;
    onTestFinished(() => blobs.removeAll(home, name));
    return { name, url: await blobs.signUpload(home, name, inSeconds(hourSeconds), sizeBytes) };
  }

  test.each([0, 5])('accepts a file of %i bytes', async (sizeBytes) => {
    const { name, url } = await issue(sizeBytes);
    expect((await put(url, 'x'.repeat(sizeBytes))).status).toBe(storedStatus);
    expect((await blobs.openSnapshot(home, name, signal))?.sizeBytes).toBe(sizeBytes);
  });
});

// Azure signatures cover no headers, so the size of a file in Azure is checked when it is submitted.
describe('a presigned URL of S3 for 5 bytes', () => {
  const blobs = openBlobs(s3Settings);

  test.each([4, 6, 1000])('refuses %i bytes with and without a Content-Length', async (sizeBytes) => {
    const name = `${randomUUID()}/${randomUUID()}-a.txt`;
    const url = await blobs.signUpload(blobs.home, name, inSeconds(hourSeconds), 5);
    expect((await put(url, 'x'.repeat(sizeBytes))).status).toBe(403);
    const body = new Blob(['x'.repeat(sizeBytes)]).stream();
    expect((await fetch(url, { method: 'PUT', body, duplex: 'half' } as RequestInit)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect(await blobs.openSnapshot(blobs.home, name, signal)).toBeUndefined();
  });
});

function changedValue(parameter: string, value: string): string {
  if (parameter === 'sp') return 'rcwdl';
  if (/expires/i.test(parameter)) return String(Number(value) + 1);
  return value.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
}

describe('a presigned URL of S3', () => {
  const { home, signUpload, partUploadsOf } = openBlobs(s3Settings);
  const expiresAt = inSeconds(hourSeconds);
  const signPart = async () => (await (await partUploadsOf(home, 'a/b.txt')).sign('id', 1, expiresAt))[0] as string;

  test.each([
    ['one PUT', () => signUpload(home, 'a/b.txt', expiresAt), 'host', ['x-id']],
    ['one PUT of a known size', () => signUpload(home, 'a/b.txt', expiresAt, 5), 'content-length;host', ['x-id']],
    ['a part', signPart, 'host', ['partNumber', 'uploadId', 'x-id']],
  ])('for %s contains no checksum, because some stores refuse checksums', async (_, sign, signedHeaders, others) => {
    const { searchParams } = new URL(await sign());
    const names = [...searchParams.keys()];
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe(signedHeaders);
    expect(names.filter((name) => !name.startsWith('X-Amz-')).sort()).toEqual(others);
    expect(names.filter((name) => /checksum|algorithm|crc/i.test(name))).toEqual(['X-Amz-Algorithm']);
  });
});
