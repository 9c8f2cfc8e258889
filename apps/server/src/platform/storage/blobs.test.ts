import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { settingsAtOrigin, stores } from '@assay/testing/storage/stores.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openBlobs } from './blobs.ts';

const breaksAfterMillis = 3000;

/** A storage that accepts connections and never responds; it breaks the first connection. */
async function openSilentStorage(): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    if (sockets.push(socket) === 1) setTimeout(() => socket.destroy(), breaksAfterMillis);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(stores)(
  'a put to $name without progress is aborted after 4 s, even if its connection breaks meanwhile',
  async ({ settings }) => {
    const blobs = openBlobs(settingsAtOrigin(settings, await openSilentStorage()));
    const begin = performance.now();
    const put = blobs.put('a.txt', () => Readable.from([Buffer.from('hello')]), 5, 'text/plain');
    await expect(put).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(performance.now() - begin).toBeLessThan(breaksAfterMillis + 3000); // not 4 s more after the retry
  },
);
