import { randomBytes } from 'node:crypto';
import { mediaTypes } from '@assay/contract/media-types.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { readStored, storedStatus } from '@assay/testing/storage/blobs.ts';
import { describe, expect, test } from 'vitest';

// To test all of them: FILENAME_RUNS=10000 pnpm exec vitest run filename
const generatedNameCount = Number(process.env.FILENAME_RUNS ?? 300);
const batchSize = 20;

const api = await openTestApi(liftedLimits);
const client = api.client((await api.makeWorkspace()).liveKey);

const extensions = mediaTypes.flatMap((media) =>
  media.extensions.map((extension) => ({ extension, type: media.type })),
);
const stem = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) }, // all of Unicode
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 260 }) },
  // Characters that are special in URLs, paths and listings.
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'%?#&=+;:@!$\'"()*,[]{}|^`~<> ./\\-_é\u0301ß世\u{1f600}'),
      maxLength: 40,
    }),
  },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)) },
);
const upload = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(stem, fc.constantFrom(...extensions))
      .map(([name, { extension, type }]) => ({ filename: `${name}.${extension}`, contentType: type })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ filename: stem, contentType: fc.constantFrom(...extensions).map(({ type }) => type) }),
  },
);

describe('any file name', () => {
  test(`is refused, or its file is stored and read back unchanged, for ${generatedNameCount} generated names`, async () => {
    const outcomes = new Map<number, number>();
    const property = fc.asyncProperty(
      fc.array(upload, { minLength: batchSize, maxLength: batchSize }),
      async (uploads) => {
        await Promise.all(
          uploads.map(async (request) => {
            const { status, body } = await client.post('/uploads/url', request);
            outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
            if (status !== 200) return expect([403, 415, 422]).toContain(status);
            const bytes = randomBytes(64);
            const put = await fetch(body.uploadUrl, {
              method: 'PUT',
              headers: { 'x-ms-blob-type': 'BlockBlob' },
              body: bytes,
            });
            expect(put.status, JSON.stringify(request.filename)).toBe(storedStatus(api.config));
            const stored = await readStored(api.config, body.blobPath);
            expect(stored.bytes.equals(bytes), JSON.stringify(request.filename)).toBe(true);
          }),
        );
      },
    );
    await fc.assert(property, { numRuns: Math.ceil(generatedNameCount / batchSize), endOnFailure: true });
    console.log(`file names by status: ${JSON.stringify(Object.fromEntries(outcomes))}`);
    expect(outcomes.get(200)).toBeGreaterThan(generatedNameCount / 5); // otherwise this test would check only refusals
  }, 600_000);
});
