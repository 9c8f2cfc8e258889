import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTcpProxy } from '@assay/testing/faults/tcp-proxy.ts';
import { originOf, settingsAtOrigin, stores } from '@assay/testing/storage/stores.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BlobChanged } from './blob-failures.ts';
import { type Blobs, openBlobs } from './blobs.ts';
import type { StoreSettings } from './stores.ts';

const mebibyte = 1024 * 1024;
/** The default is a short run. For a long video over a bad connection, set 2,000 MB, 40 MB/s and a cut every 5 s. */
const fileMegabytes = Number(process.env.MEGABYTES ?? 48);
const megabytesPerSecond = Number(process.env.MEGABYTES_PER_SECOND ?? 40);
const cutAfterMillis = Number(process.env.CUT_AFTER_MILLIS ?? 300);

async function storeRandom(blobs: Blobs, bytesCount: number) {
  const { home } = blobs;
  const name = `${randomUUID()}/${randomUUID()}-a.bin`;
  const hash = createHash('sha256');
  const block = randomBytes(mebibyte);
  const bytes = () =>
    Readable.from(
      (function* () {
        for (let left = bytesCount; left > 0; left -= block.length)
          yield block.subarray(0, Math.min(left, block.length));
      })(),
    );
  for await (const chunk of bytes()) hash.update(chunk);
  await putWithoutLimit(await blobs.signUpload(home, name, new Date(Date.now() + 3_600_000)), bytes(), bytesCount);
  onTestFinished(() => blobs.removeAll(home, name));
  const { etag } = (await blobs.openSnapshot(home, name, AbortSignal.timeout(30_000))) as { etag: string };
  return { name, etag, sha256: hash.digest('hex') };
}

/** Uploads without a time limit, because two gigabytes may take longer than the service allows for a request. */
async function putWithoutLimit(url: string, bytes: Readable, sizeBytes: number): Promise<void> {
  const request = send(url, { method: 'PUT', headers: { 'content-length': sizeBytes, 'x-ms-blob-type': 'BlockBlob' } });
  const responded = once(request, 'response');
  await pipeline(bytes, request);
  const [response] = await responded;
  response.resume();
  expect(response.statusCode).toBeLessThan(300);
}

/** A proxy that limits the transfer rate and cuts each connection after a while. */
async function openBadConnection(settings: StoreSettings) {
  const { hostname, port } = new URL(originOf(settings));
  const line = { bytes: 0, cuts: 0 };
  const proxy = await openTcpProxy({ hostname, port }, (near, far) => {
    near.pipe(far);
    void transferSlowly(far, near, line);
    const timer = setTimeout(() => {
      line.cuts++;
      near.destroy();
    }, cutAfterMillis);
    near.once('close', () => clearTimeout(timer));
  });
  onTestFinished(() => proxy.close());
  return { line, blobs: openBlobs(settingsAtOrigin(settings, `http://${proxy.address}`)) };
}

async function transferSlowly(far: Socket, near: Socket, line: { bytes: number }): Promise<void> {
  const began = performance.now();
  let passed = 0;
  try {
    for await (const chunk of far as AsyncIterable<Buffer>) {
      passed += chunk.length;
      line.bytes += chunk.length;
      const aheadMillis = (passed / (megabytesPerSecond * 1e6)) * 1000 - (performance.now() - began);
      if (aheadMillis > 5) await sleep(aheadMillis);
      if (!near.write(chunk)) await once(near, 'drain');
    }
  } catch {
    // The connection was cut.
  }
}

describe.each(stores)('a download from $name', ({ settings }) => {
  const direct = openBlobs(settings);
  const { home } = direct;

  test('is complete over a connection that breaks repeatedly, with at most 30 % of the bytes sent twice', async () => {
    const sizeBytes = fileMegabytes * 1e6;
    const { name, etag, sha256 } = await storeRandom(direct, sizeBytes);
    const { line, blobs } = await openBadConnection(settings);
    const hash = createHash('sha256');
    let arrived = 0;
    for await (const chunk of (await blobs.download(home, name, etag, AbortSignal.timeout(600_000))) ?? []) {
      hash.update(chunk);
      arrived += chunk.length;
    }
    console.log(`${arrived} bytes, ${(line.bytes / sizeBytes).toFixed(3)} times transferred, ${line.cuts} cuts`);
    expect([arrived, hash.digest('hex')]).toEqual([sizeBytes, sha256]);
    expect(line.cuts).toBeGreaterThan(1);
    expect(line.bytes / sizeBytes).toBeLessThanOrEqual(1.3);
  }, 600_000);

  test('fails if the file is overwritten meanwhile', async () => {
    const { name, etag } = await storeRandom(direct, 40 * mebibyte);
    const bytes = (await direct.download(home, name, etag, AbortSignal.timeout(60_000))) as AsyncIterable<Buffer>;
    const reading = async () => {
      let isFirst = true;
      for await (const _ of bytes) {
        if (isFirst) await direct.put(name, () => Readable.from([Buffer.from('other')]), 5, 'text/plain');
        isFirst = false;
      }
    };
    await expect(reading()).rejects.toBeInstanceOf(BlobChanged);
  });

  test('has no bytes for an empty file, and is undefined for a deleted file', async () => {
    const { name, etag } = await storeRandom(direct, 0);
    const signal = AbortSignal.timeout(60_000);
    const bytes = (await direct.download(home, name, etag, signal)) as AsyncIterable<Buffer>;
    expect(await Array.fromAsync(bytes)).toEqual([]);
    await direct.removeAll(home, name);
    expect(await direct.download(home, name, etag, signal)).toBeUndefined();
  });

  test('fails with storage_unavailable if the storage returns only errors', async () => {
    const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const broken = settingsAtOrigin(settings, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const download = openBlobs(broken).download(home, 'a/b', '"x"', AbortSignal.timeout(60_000));
    await expect(download).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
