import { randomBytes, randomUUID } from 'node:crypto';
import { filenameBytesMax } from '@assay/contract/limits.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { describe, expect, test } from 'vitest';
import { requireFilename } from '#modules/uploads/filename.ts';
import { BlobChanged } from './blob-failures.ts';
import { openBlobs } from './blobs.ts';

// For a full run: RACES=1000 NAMES=10000 pnpm exec vitest run conformance-races
const raceCount = Number(process.env.RACES ?? 30);
const generatedNameCount = Number(process.env.NAMES ?? 300);
const batchSize = 20;

const signal = AbortSignal.timeout(3_600_000);
const chunkBytes = 64 * 1024;
const inAnHour = () => new Date(Date.now() + 3_600_000);

// The stores are tested concurrently, because Azurite keeps one core busy and this process another.
describe.concurrent.each(stores)('storage in $name', ({ settings, storedStatus }) => {
  const blobs = openBlobs(settings);
  const { home } = blobs;
  const send = async (url: string, body: Buffer) =>
    (await fetch(url, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body })).status;

  async function open(name: string) {
    const snapshot = await blobs.openSnapshot(home, name, signal);
    if (!snapshot) return undefined;
    const bytes = Buffer.alloc(snapshot.sizeBytes);
    await snapshot.read(bytes, 0);
    return { bytes, etag: snapshot.etag };
  }

  /** Reads a blob that may be overwritten meanwhile: returns its bytes, or `changed`. */
  async function read(name: string): Promise<Buffer | 'changed' | undefined> {
    try {
      const opened = await open(name);
      if (!opened) return undefined;
      const { bytes, etag } = opened;
      const whole = await blobs.download(home, name, etag, signal);
      const downloaded = whole && Buffer.concat(await Array.fromAsync(whole));
      expect(downloaded?.equals(bytes), 'the snapshot and the download of one ETag').toBe(true);
      return bytes;
    } catch (error) {
      if (error instanceof BlobChanged) return 'changed';
      throw error;
    }
  }

  test(`reading a blob while it is overwritten ${raceCount} times never returns a mix of two uploads`, async () => {
    const name = `${randomUUID()}/${randomUUID()}-a.bin`;
    const url = await blobs.signUpload(home, name, inAnHour());
    const outcomes = { whole: 0, changed: 0 };
    await send(url, Buffer.alloc(chunkBytes, 0));
    for (let race = 1; race <= raceCount; race++) {
      // Each upload repeats one byte value, which also determines its size, in one to four chunks.
      const body = (value: number) => Buffer.alloc(((value % 4) + 1) * chunkBytes - value, value);
      const values = [1, 2, 3].map((n) => (race * 3 + n) % 251);
      const writing = Promise.all(values.map((value) => send(url, body(value))));
      const results = await Promise.all(Array.from({ length: 4 }, () => read(name)));
      expect(await writing).toEqual([storedStatus, storedStatus, storedStatus]);
      const last = await read(name);
      expect(last).toBeInstanceOf(Buffer);
      for (const bytes of [...results, last]) {
        if (bytes === 'changed') outcomes.changed++;
        else {
          const value = bytes?.[0] as number;
          if (value !== 0) expect(bytes?.equals(body(value)), `race ${race}`).toBe(true);
          outcomes.whole++;
        }
      }
    }
    console.log(`races: ${JSON.stringify(outcomes)}`);
    expect(outcomes.whole).toBeGreaterThan(0);
    await blobs.removeAll(home, name);
  }, 3_600_000);

  const filename = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), // all of Unicode
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(...'%?#&=+;:@!$\'"()*,[]{}|^`~<> .-_éß世\u{1f600}'),
        minLength: 1,
        maxLength: 40,
      }),
      fc.constantFrom(
        'a'.repeat(filenameBytesMax),
        'é'.repeat(Math.floor(filenameBytesMax / 2)),
        `a${'é'.repeat(127)}`,
      ),
    )
    .map((name) => name.normalize('NFC'))
    .filter(isAllowed);

  test(`blobs with ${generatedNameCount} generated file names are stored, read back and deleted`, async () => {
    const property = fc.asyncProperty(
      fc.array(filename, { minLength: batchSize, maxLength: batchSize }),
      async (filenames) => {
        const workspaceId = randomUUID();
        const blobNames = filenames.map((one) => `${workspaceId}/${randomUUID()}-${one}`);
        await Promise.all(
          blobNames.map(async (name) => {
            const bytes = randomBytes(64);
            expect(await send(await blobs.signUpload(home, name, inAnHour()), bytes), name).toBe(storedStatus);
            expect((await open(name))?.bytes.equals(bytes), name).toBe(true);
            await blobs.removeAll(home, name);
            expect(await open(name), name).toBeUndefined();
          }),
        );
      },
    );
    await fc.assert(property, { numRuns: Math.ceil(generatedNameCount / batchSize), endOnFailure: true });
  }, 3_600_000);
});

function isAllowed(name: string): boolean {
  try {
    requireFilename(name);
    return true;
  } catch {
    return false;
  }
}
