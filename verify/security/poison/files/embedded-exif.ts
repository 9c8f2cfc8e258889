import { deflateRawSync } from 'node:zlib';
import { makePdf, streamObject } from '@assay/testing/media/make-pdf.ts';
import { be, latin, le, MiB, u8 } from '../formats/bytes.ts';
import type { Recipe } from '../formats/recipe.ts';
import { type Row, recipesOf } from '../formats/rows.ts';
import { directory, directoryBytes, directoryChain, type Field, fieldTags, fieldTypes, tiff } from '../formats/tiff.ts';
import { changeFields, docx, numberedNames, type OfficeKind, office, packedParts, repeatRow } from '../formats/zip.ts';

const image = 'word/media/a.jpg';
const segmentBytesMax = 0xffff;

/** The start of a JPEG's EXIF segment that claims this length, followed by `then`. */
const exifMarker = (lengthBytes = segmentBytesMax, then: Uint8Array = u8()) =>
  Buffer.concat([u8(0xff, 0xe1), be.u16(lengthBytes), latin('Exif\0\0'), then]);
const littleEndianTiff = tiff();
const bigEndianTiff = latin('MM\0*\0\0\0\x08');

/** Consecutive markers: read as segments, they all overlap. */
const exifMarkers = (bytes: number, unit: Uint8Array = exifMarker()) => Buffer.alloc(bytes, unit);

/** An Office package whose images all share the same compressed bytes. */
const images = (bytes: Buffer, names: readonly string[] = [image], kind: OfficeKind = 'docx') =>
  changeFields(office(kind, ...packedParts(names, deflateRawSync(bytes), bytes.length)), names, { method: 8 });
const storedImages = (...contents: Buffer[]) =>
  docx(...contents.map((data, i) => ({ name: `word/media/${i}.jpg`, data, isStored: true })));

/** Consecutive segments as in a JPEG, all different. */
const segments = (count: number, contentOf: (i: number) => Buffer) =>
  Buffer.concat(
    Array.from({ length: count }, (_, i) => {
      const content = contentOf(i);
      return exifMarker(content.length + 8, content);
    }),
  );

/** Directories that point to each other, the last one back to the first. */
const directoryRing = (count: number) =>
  directoryChain(count, (i) => [[fieldTags.exif, fieldTypes.long, 1, 8 + directoryBytes(1) * ((i * 7) % count)]], 8);
const manyFields = Array<Field>(5000).fill([fieldTags.exif, fieldTypes.long, 1, 8]);

const rows: Row[] = [
  // 31 KB that expand to 200 times 16 MiB of markers. Copying 64 KiB for each marker once blocked the process for 34 s.
  [
    'exif-marks-of-16-MiB-named-by-200-rows',
    () => repeatRow(images(exifMarkers(16 * MiB)), image, 199),
    { isRegression: true },
  ],
  ['exif-marks-of-16-MiB', () => images(exifMarkers(16 * MiB))],
  ['exif-marks-of-1-MiB', () => images(exifMarkers(MiB))],
  ['exif-marks-of-just-4-MiB', () => images(exifMarkers(4 * MiB))],
  ['exif-marks-of-just-over-4-MiB', () => images(exifMarkers(4 * MiB + 1))],
  ['exif-marks-of-4-MiB-named-by-5000-rows', () => repeatRow(images(exifMarkers(4 * MiB)), image, 4999)],
  [
    'exif-marks-with-a-little-header',
    () => images(exifMarkers(4 * MiB, exifMarker(segmentBytesMax, littleEndianTiff))),
  ],
  ['exif-marks-with-a-big-header', () => images(exifMarkers(4 * MiB, exifMarker(segmentBytesMax, bigEndianTiff)))],
  [
    'exif-marks-with-a-header-named-by-200-rows',
    () => repeatRow(images(exifMarkers(4 * MiB, exifMarker(segmentBytesMax, littleEndianTiff))), image, 199),
  ],
  ...[0, 2, 8, 19, 20, 21, 256, 0xfffe].flatMap((lengthBytes): Row[] => [
    [`exif-marks-that-say-${lengthBytes}-bytes`, () => images(exifMarkers(4 * MiB, exifMarker(lengthBytes)))],
    [
      `exif-headers-that-say-${lengthBytes}-bytes`,
      () => images(exifMarkers(4 * MiB, exifMarker(lengthBytes, bigEndianTiff))),
    ],
  ]),
  ['exif-marks-without-a-segment', () => images(exifMarkers(4 * MiB, latin('Exif\0\0')))],
  ['exif-segments-without-a-mark', () => images(exifMarkers(4 * MiB, u8(0xff, 0xe1)))],
  [
    'exif-marks-stored',
    () => storedImages(exifMarkers(MiB), exifMarkers(MiB, exifMarker(segmentBytesMax, littleEndianTiff))),
  ],
  [
    'exif-marks-in-200-stored-images',
    () => storedImages(...Array<Buffer>(200).fill(exifMarkers(20_000, exifMarker(30, littleEndianTiff)))),
  ],
  ['exif-marks-in-100-images-of-4-MiB', () => images(exifMarkers(4 * MiB), numberedNames(100, 'word/media/#.jpeg'))],
  [
    'exif-marks-in-1000-images-that-inflate-in-vain',
    () => images(exifMarkers(16 * MiB), numberedNames(1000, 'word/media/#.JPG')),
  ],
  [
    'exif-1000-segments-that-differ',
    () => storedImages(segments(1000, (i) => Buffer.concat([littleEndianTiff, le.u32(i, 0)]))),
  ],
  [
    'exif-8-segments-of-64-KiB-in-a-ring',
    () =>
      storedImages(
        ...Array.from({ length: 8 }, (_, i) =>
          segments(1, () => Buffer.concat([tiff(directoryRing(3000)), le.u32(i)])),
        ),
      ),
  ],
  [
    'exif-8-segments-of-5000-entries',
    () => storedImages(segments(8, (i) => Buffer.concat([tiff(directory(manyFields, 8)), le.u32(i)]))),
  ],
  [
    'exif-segment-that-points-at-itself',
    () => storedImages(segments(1, () => tiff(directory([[fieldTags.exif, fieldTypes.long, 1, 8]], 8)))),
  ],
  [
    'exif-segment-cut-by-the-end',
    () => storedImages(exifMarker(segmentBytesMax, tiff(directory([[fieldTags.exif, fieldTypes.long, 1, 8]])))),
  ],
];

const inPdf = (bytes: Buffer) => makePdf({ objects: [streamObject('/Subtype /Image /Filter /DCTDecode', bytes)] });
/** A PDF with a segment that starts this many bytes before the boundary of a read window. */
const atBorder = (before: number) => {
  const filler = inPdf(u8()).indexOf('endstream') - 1;
  return inPdf(
    Buffer.concat([
      Buffer.alloc(MiB - filler - before),
      segments(3, (i) => Buffer.concat([bigEndianTiff, Buffer.alloc(60_000, i)])),
    ]),
  );
};

const pdfs: Row[] = [
  ['exif-marks-of-8-MiB', () => inPdf(exifMarkers(8 * MiB))],
  [
    'exif-marks-of-8-MiB-with-a-header',
    () => inPdf(exifMarkers(8 * MiB, exifMarker(segmentBytesMax, littleEndianTiff))),
  ],
  ['exif-marks-of-8-MiB-that-say-21-bytes', () => inPdf(exifMarkers(8 * MiB, exifMarker(21, bigEndianTiff)))],
  ['exif-marks-of-90-MiB', () => inPdf(exifMarkers(90 * MiB)), { isSlow: true }],
  ...[0, 1, 2, 4, 9, 10, 13, 65_536].map(
    (before): Row => [`exif-${before}-bytes-before-a-border`, () => atBorder(before)],
  ),
];

const books: Row[] = [['exif-marks-in-a-book', () => images(exifMarkers(4 * MiB), ['xl/media/a.jpg'], 'xlsx')]];
const slides: Row[] = [['exif-marks-in-slides', () => images(exifMarkers(4 * MiB), ['ppt/media/a.jpg'], 'pptx')]];

export const embeddedExif: Recipe[] = [
  ...recipesOf('office', 'a.docx', rows),
  ...recipesOf('office', 'a.xlsx', books),
  ...recipesOf('office', 'a.pptx', slides),
  ...recipesOf('pdf', 'a.pdf', pdfs),
];
