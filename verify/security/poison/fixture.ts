import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { scratchFilesIn } from '@assay/testing/faults/scratch-files.ts';
import { makeWithFfmpegSync } from '@assay/testing/media/made-by-ffmpeg.ts';
import { type Fixture, type SeedName, seeds } from './formats/recipe.ts';

export type OpenFixture = Fixture & {
  /** The text in the canary file. */
  secret: string;
  /** The number of connections to the listener, which should be 0. */
  callCount(): number;
  /** The folder for all temporary files of this process; `leftovers` lists the files in it. */
  scratch: string;
  leftovers(): string[];
  close(): void;
};

/** Opens a listener, a canary file, a scratch folder, and seed files that are made on demand. */
export async function openFixture(): Promise<OpenFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-poison-'));
  const scratch = mkdtempSync(join(folder, 'scratch-'));
  const canary = join(folder, 'canary.txt');
  const secret = `secret-${randomUUID()}`;
  // The canary is a playlist itself, because a tool that opens it may follow its entries.
  writeFileSync(canary, `#EXTM3U\n#EXTINF:1,${secret}\n${secret}.ts\n`, { mode: 0o644 });

  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  const before = process.env.TMPDIR;
  process.env.TMPDIR = scratch;
  const made = new Map<SeedName, Buffer>();
  return {
    listener: `127.0.0.1:${port}`,
    canary,
    secret,
    scratch,
    callCount: () => calls,
    leftovers: () => scratchFilesIn(scratch),
    seed: (name) => {
      const bytes = made.get(name) ?? makeSeed(name);
      made.set(name, bytes);
      return bytes;
    },
    close: () => {
      server.close();
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true });
    },
  };
}

function makeSeed(name: SeedName): Buffer {
  const plain = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];
  return readFileSync(makeWithFfmpegSync(extname(name), [...seeds[name], ...plain]));
}
