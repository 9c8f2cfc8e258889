import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { makeArchive, makeOfficeFile } from '@assay/testing/media/make-office.ts';
import { makePdf, objectStream, streamObject } from '@assay/testing/media/make-pdf.ts';
import { sample, sampleNames } from '@assay/testing/media/samples.ts';
import { fc } from '@assay/testing/run/fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '#evidence/evidence.ts';
import { makePng } from '#evidence/file/samples/make-image.ts';
import { gather } from '#evidence/gather.ts';
import { runSidekicks } from '#run/run.ts';
import { rules } from './rules.ts';
import { cleanFiles } from './samples/clean-files.ts';
import { hostileFiles } from './samples/hostile-files.ts';
import { sidekick } from './sidekick.ts';

const hostileSamples = hostileFiles(sample);
const cleanSamples = cleanFiles(sampleNames, sample);

/** A source that counts reads. Its declared size can exceed its bytes; the rest reads as zeros. */
function countingSource(bytes: Uint8Array, sizeBytes = bytes.length) {
  const cost = { reads: 0, bytes: 0 };
  const read = async (target: Uint8Array, offset: number) => {
    cost.reads++;
    cost.bytes += target.length;
    const length = Math.max(0, Math.min(target.length, sizeBytes - offset));
    target.fill(0, 0, length);
    target.set(bytes.subarray(offset, offset + length));
    return length;
  };
  const signal = new AbortController().signal;
  return { cost, source: { bytes: { sizeBytes, read }, fd: -1, signal, jail: 'none' as const } };
}

async function examine(filename: string, bytes: Uint8Array) {
  const { source } = countingSource(bytes);
  return (await runSidekicks([sidekick], source, declarationFor(filename))).findings;
}

describe('the file-safety check', () => {
  test('has at least 60 hostile and 60 clean sample files, and covers every rule', () => {
    expect(hostileSamples.length).toBeGreaterThanOrEqual(60);
    expect(cleanSamples.length).toBeGreaterThanOrEqual(60);
    expect(new Set(hostileSamples.flatMap(([, , , expected]) => expected))).toEqual(new Set(Object.keys(rules)));
  });

  test.each(hostileSamples)(
    'reports exactly the expected findings for “%s” (%s)',
    async (_, filename, bytes, expected) => {
      const codes = (await examine(filename, bytes)).map(({ ruleCode }) => ruleCode);
      expect(codes.toSorted()).toEqual(expected.toSorted());
    },
  );

  test.each(cleanSamples)('reports nothing in the clean file “%s” (%s)', async (_, filename, bytes) => {
    expect(await examine(filename, bytes)).toEqual([]);
  });
});

describe('file-safety findings', () => {
  test('are limited to one per rule and subject, however often the subject occurs', async () => {
    const scripts = Array.from({ length: 400 }, () => '<< /S /JavaScript /JS (x) >>');
    const found = await examine('a.pdf', makePdf({ objects: scripts.slice(200), packed: scripts.slice(200) }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      summary: 'The PDF contains 400 scripts. Export the PDF without scripts.',
      measured: 400,
      limit: 0,
    });
  });

  test.each([
    ['a string', (pad: string) => `<< /Pad (${pad}) >>`],
    ['an open bracket', (pad: string) => `( ${pad}`],
    ['a comment', (pad: string) => `%${pad}`],
    ['a stream', (pad: string) => streamObject('', Buffer.from(pad))],
  ])('are the same wherever a read block ends in a script that follows %s', async (_, before) => {
    const script = '<< /S /J#61vaScript /JS (x) >>';
    const withPad = (length: number) => makePdf({ objects: [before('x'.repeat(length)), script] });
    const toBorder = 256 * 1024 - withPad(0).indexOf(script);
    for (let shift = -8; shift < script.length + 24; shift++) {
      const found = await examine('a.pdf', withPad(toBorder - shift));
      expect(
        found.map(({ ruleCode }) => ruleCode),
        `${shift} bytes before the border`,
      ).toEqual(['SAFE-PDF-JAVASCRIPT']);
    }
  });

  test('name the extension of the file and its actual content', async () => {
    const [text] = await examine('a.mp4', Buffer.from('plain words, and no more than that'));
    expect(text?.summary).toMatch(/^The file is named \.mp4, but its content is plain text\./);
    const [unknown] = await examine('A.PNG', Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]));
    expect(unknown?.summary).toMatch(/^The file is named \.png, but its content is of an unknown type\./);
  });

  test('keep their subject when the number of occurrences changes', async () => {
    const of = async (times: number) =>
      (await examine('a.pdf', makePdf({ objects: Array.from({ length: times }, () => '<< /S /Launch >>') })))[0]
        ?.subject;
    expect(await of(1)).toBe(await of(7));
  });

  test('contain no control characters from a hostile name', async () => {
    const name = `../\u0007${'x'.repeat(500)}`;
    const [found] = await examine('a.docx', makeOfficeFile('docx', [{ name, data: 'x' }]));
    expect(found?.summary).not.toMatch(/\p{Cc}/u);
    expect(found?.summary.length).toBeLessThan(200);
  });

  test('depend only on the evidence, not on access to the file', () => {
    const nothing = {
      recognition: 'image/png',
      testSignature: false,
      textFlaw: null,
      imageHeader: { format: 'PNG', width: 30_000, height: 30_000, frames: 1, hit: [] },
      foreignContent: { opening: null, scriptInHead: null, appended: null, hit: [] },
      pdfContent: null,
      zipContent: null,
    } as unknown as Evidence;
    const found = sidekick.check(nothing, declarationFor('a.png'));
    expect(found).toMatchObject([{ ruleCode: 'SAFE-IMAGE-BOMB', measured: 9e8, limit: 4e8, unit: 'px' }]);
    expect(sidekick.check(nothing, declarationFor('a.png'))).toEqual(found);
  });

  test.each([20_000, 20_001])(
    'report an image of %d × 20,000 pixels only if it exceeds 400 million pixels',
    async (width) => {
      expect(await examine('a.png', makePng(width, 20_000))).toHaveLength(width > 20_000 ? 1 : 0);
    },
  );
});

describe('gathering file-safety evidence', () => {
  const readsMax = 400;
  const valid = [
    ...[
      'still.png',
      'still.jpg',
      'still.gif',
      'still.webp',
      'still.tiff',
      'still.bmp',
      'still.avif',
      'tone.mp3',
      'clip.mkv',
    ],
  ].map((name): [string, Uint8Array] => [name, sample(name)]);
  valid.push(['a.pdf', makePdf({ packed: ['<< /S /JavaScript /JS (x) >>'] })], ['a.docx', makeOfficeFile('docx')]);

  async function gatherAll(bytes: Uint8Array, sizeBytes?: number) {
    const { cost, source } = countingSource(bytes, sizeBytes);
    expect((await gather(new Set(sidekick.needs), source)).failures).toEqual([]);
    return cost;
  }

  test('takes a limited number of reads for random bytes, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (bytes) => {
        expect((await gatherAll(bytes)).reads).toBeLessThan(readsMax);
      }),
      { numRuns: 200 },
    );
  });

  test('takes a limited number of reads for damaged files, and never fails', async () => {
    const broken = fc
      .tuple(
        fc.constantFrom(...valid),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
      )
      .map(([[name, file], share, changes]) => {
        const bytes = Buffer.from(file.subarray(0, Math.ceil(file.length * share)));
        // Most structures that a parser follows are at the start or the end of a file.
        for (const [at, value] of changes) {
          const place = at % 3 === 0 ? at % 64 : at % 3 === 1 ? bytes.length - 1 - (at % 64) : at;
          if (bytes.length > 0) bytes[Math.abs(place) % bytes.length] = value;
        }
        return [name, bytes] as const;
      });
    await fc.assert(
      fc.asyncProperty(broken, async ([name, bytes]) => {
        await examine(name, bytes);
        expect((await gatherAll(bytes)).reads).toBeLessThan(readsMax);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ...valid,
    ['empty', new Uint8Array()],
    ['a zip', makeArchive([{ name: 'a', data: 'x' }])],
    ['text', Buffer.from('text')],
  ])('takes a limited number of reads for a file of 5 GiB that starts as %s', async (_, head) => {
    const cost = await gatherAll(head, 5 * 1024 ** 3);
    expect(cost.reads).toBeLessThan(3000);
    expect(cost.bytes).toBeLessThan(300 * 1024 * 1024);
  });

  test('takes a limited number of reads for a PDF with many object streams', async () => {
    const streams = Array.from({ length: 12_000 }, () => objectStream(['1']));
    const { cost, source } = countingSource(makePdf({ objects: streams }));
    const [found] = (await runSidekicks([sidekick], source, declarationFor('a.pdf'))).findings;
    expect(cost.reads).toBeLessThan(11_000);
    expect(found).toMatchObject({ ruleCode: 'SAFE-NOT-VERIFIED', isCertain: false });
  });

  test('does not unpack a decompression bomb into memory', async () => {
    const bomb = hostileSamples.find(([label]) => label === 'an object stream that is a decompression bomb');
    if (!bomb) throw new Error('the set has no decompression bomb');
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 5; i++) await examine('a.pdf', bomb[2]);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });

  test.each(sidekick.needs)('stops when aborted: %s', async (name) => {
    if (name === 'recognition' || name === 'testSignature') return; // gathering these takes only a few reads
    const file = { pdfContent: makePdf(), zipContent: makeOfficeFile('docx'), textFlaw: Buffer.from('x') }[
      name as string
    ];
    const { source } = countingSource(file ?? sample('still.jpg'));
    const { failures } = await gather(new Set([name]), { ...source, signal: AbortSignal.abort() });
    expect(failures).toEqual([expect.objectContaining({ name: 'AbortError' })]);
  });
});
