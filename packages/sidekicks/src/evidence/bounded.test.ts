import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '@assay/jail/source/source.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withBytes } from '@assay/testing/media/examine.ts';
import { describe, expect, test } from 'vitest';
import { sidekick as fileSafety } from '#checks/file-safety/sidekick.ts';
import { sidekick as metadataPrivacy } from '#checks/metadata-privacy/sidekick.ts';
import { type Bounded, type BoundName, bounds, createReading, defaultLimits, type Limits } from './bounded.ts';
import type { Evidence } from './evidence.ts';
import { readZipContent } from './file/archive/zip-content.ts';
import { readForeignContent } from './file/format/foreign-content.ts';
import { recognise } from './file/format/recognise.ts';
import { readImageHeader } from './file/image/image-header.ts';
import { readMetadata } from './file/metadata/metadata.ts';
import { readPdfContent } from './file/pdf/pdf-content.ts';
import { readTextFlaw } from './file/plain-text/text-flaw.ts';
import { boundSamples } from './file/samples/hit-bounds.ts';

const names = Object.keys(bounds) as BoundName[];
const files = globSync('file/**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/samples/'))
  .map((path) => ({ path, source: readFileSync(join(import.meta.dirname, path), 'utf8') }));
const filesWith = (name: BoundName) => files.filter(({ source }) => source.includes(`'${name}'`));

/** The readers of evidence with bounds. */
const readers = {
  textFlaw: readTextFlaw,
  imageHeader: readImageHeader,
  foreignContent: readForeignContent,
  pdfContent: readPdfContent,
  zipContent: readZipContent,
  metadata: readMetadata,
} satisfies Record<string, (source: Source, limits: Limits) => Promise<Bounded | null>>;

/** ExifTool takes long, so metadata is read only for bounds that its reader has. */
function canHit(kind: string, name: BoundName): boolean {
  return kind !== 'metadata' || filesWith(name).some(({ path }) => /^file\/(?:metadata|archive)\//.test(path));
}

/** What both checks say about a file under these limits, and which of them have evidence that hit the bound. */
async function examine(name: BoundName, source: Source, filename: string, limits: Limits) {
  const bounded = await Promise.all(
    Object.entries(readers).map(async ([kind, read]) => {
      return [kind, canHit(kind, name) ? await read(source, limits) : null] as const;
    }),
  );
  const recognition = await recognise(source.bytes);
  const evidence = { recognition, testSignature: false, probe: null, ...Object.fromEntries(bounded) } as Evidence;
  return [fileSafety, metadataPrivacy].map((sidekick) => {
    const hits = bounded.filter(
      ([kind, one]) => sidekick.needs.some((need) => need === kind) && one?.hit.includes(name),
    );
    const found = sidekick.check(evidence, declarationFor(filename)).flatMap(({ notExamined }) => notExamined ?? []);
    return { isHit: hits.length > 0, isIncomplete: found.some(({ reason }) => reason === 'limit_reached') };
  });
}

describe('the table of bounds', () => {
  test.each(names)('has %s, which a reader of files uses', (name) => {
    expect(filesWith(name)).not.toEqual([]);
  });

  // These leave nothing unexamined, as the comment at each of them says.
  const others = [
    'barGrayMax',
    'barSpreadMax',
    'bytesMax',
    'chunksMax',
    'commentBytesMax',
    'complaintCharactersMax',
    'complaintsMax',
    'fileBytesMax',
    'filtersKeptMax',
    'inflateRatioMax',
    'inflatedBytesMax',
    'memoryBytesMax',
    'nameCharactersMax',
    'numbersKeptMax',
    'paddingBytesMax',
    'paddingMax',
    'pixelsMax',
    'segmentBytesMax',
    'targetCharactersMax',
    'tokenCharactersMax',
    'trackMemoryBytesMax',
    'windowsMax',
  ];

  test('has every bound on what is read: no file with evidence of files declares another', () => {
    const declared = files.flatMap(({ source }) => [...source.matchAll(/\bconst (\w+Max)\b/g)].map(([, name]) => name));
    expect([...new Set(declared)].toSorted()).toEqual(others);
  });

  test.each(names)('has a label for %s that fits into a text', (name) => {
    expect(bounds[name].label.length).toBeLessThanOrEqual(80);
  });
});

describe('a reading', () => {
  test('adds up what is taken, and remembers each bound that was exceeded once', () => {
    const reading = createReading({ ...defaultLimits, zipEntries: 3 });
    expect([reading.take('zipEntries', 2), reading.take('zipEntries'), reading.hit]).toEqual([true, true, []]);
    expect([reading.take('zipEntries'), reading.take('zipEntries')]).toEqual([false, false]);
    expect([reading.hit, reading.left('zipEntries')]).toEqual([['zipEntries'], 0]);
  });
});

describe('a file that hits a bound makes every check incomplete whose evidence was cut:', () => {
  test.each(names)('%s', async (name) => {
    const { filename, make, lowered } = boundSamples[name];
    await withBytes(make(), async (source) => {
      const checks = await examine(name, source, filename, { ...defaultLimits, [name]: lowered ?? bounds[name].max });
      expect(checks.some(({ isHit }) => isHit)).toBe(true);
      expect(checks.filter(({ isHit, isIncomplete }) => isHit && !isIncomplete)).toEqual([]);
      if (lowered === undefined || name.endsWith('CpuSeconds')) return;
      const within = await examine(name, source, filename, defaultLimits);
      expect(within.filter(({ isIncomplete }) => isIncomplete)).toEqual([]);
    });
  });
});
