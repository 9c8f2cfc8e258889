import { be, latin, MiB, offsetOf, overwrite, repeatBytes, u8 } from '../formats/bytes.ts';
import { box, boxWithSize, fullBox, largeBoxWithSize } from '../formats/iso-media.ts';
import type { Recipe } from '../formats/recipe.ts';
import { type Row, recipesOf, refusedOrNotOutcomes } from '../formats/rows.ts';

const fileType = (brand: string) => box('ftyp', latin(brand), be.u32(0), latin(`${brand}mif1`));
const meta = (...parts: Uint8Array[]) =>
  fullBox('meta', fullBox('hdlr', be.u32(0), latin('pict'), Buffer.alloc(13)), ...parts);
const size = (width: number, height: number) => fullBox('ispe', be.u32(width, height));
const properties = (...parts: Uint8Array[]) => box('iprp', box('ipco', ...parts));

/** Boxes of this type nested this many levels deep. */
function nestBoxes(type: string, levels: number, inner: Buffer, wrap = box): Buffer {
  // Building from the inside out would copy every box once per level. The sizes are known, so all headers are written
  // first.
  const headBytes = wrap(type).length;
  const heads = Array.from({ length: levels }, (_, i) => {
    const head = wrap(type);
    return overwrite(head, 0, be.u32((levels - i) * headBytes + inner.length));
  });
  return Buffer.concat([...heads, inner]);
}

/** The location of an item: its id, and one extent of this many bytes at this offset. */
const extent = (id: number, at: number, bytes: number) => Buffer.concat([be.u16(id, 0, 1), be.u32(at, bytes)]);
const extents = (count: number, ...items: Uint8Array[]) => fullBox('iloc', u8(0x44, 0), be.u16(count), ...items);
const item = (id: number, type: string) => Buffer.concat([be.u32(0x02000000), be.u16(id, 0), latin(`${type}\0`)]);
const items = (count: number, ...entries: Uint8Array[]) =>
  fullBox('iinf', be.u16(count), ...entries.map((entry) => box('infe', entry)));

/** Functions that build the boxes after the file type box, by the name of the variant. */
const files: Record<string, () => Uint8Array> = {
  'no-box': () => u8(),
  'no-size': () => meta(properties(size(0, 0))),
  '2^31-a-side': () => meta(properties(size(2 ** 31, 2 ** 31))),
  '2^32-a-side': () => meta(properties(size(2 ** 32 - 1, 2 ** 32 - 1))),
  '8000-sizes': () => meta(properties(repeatBytes(8000, size(9, 9)))),
  '100000-properties': () => meta(properties(repeatBytes(100_000, box('free')))),
  'a-size-cut-short': () => Buffer.concat([u8(0, 0, 0, 20), latin('ispe'), u8(0, 0)]),
  'boxes-10000-deep': () => nestBoxes('moov', 10_000, box('free')),
  'boxes-100000-deep': () => nestBoxes('moov', 100_000, box('free')),
  'meta-5000-deep': () => nestBoxes('meta', 5000, box('free'), fullBox),
  'properties-10000-deep': () => meta(nestBoxes('iprp', 10_000, size(9, 9))),
  'a-box-of-size-0': () => boxWithSize('meta', 0, Buffer.alloc(1000)),
  'boxes-of-size-0-in-a-box': () => box('meta', be.u32(0), repeatBytes(10_000, boxWithSize('free', 0))),
  'boxes-of-size-1-and-no-more': () => repeatBytes(10_000, boxWithSize('free', 1)),
  'boxes-of-size-7': () => repeatBytes(10_000, boxWithSize('meta', 7)),
  'a-large-box-of-0': () => largeBoxWithSize('meta', 0n, Buffer.alloc(1000)),
  'a-large-box-of-15': () => largeBoxWithSize('meta', 15n, Buffer.alloc(1000)),
  'a-large-box-of-2^63': () => largeBoxWithSize('meta', 2n ** 63n, Buffer.alloc(1000)),
  'a-box-beyond-the-file': () => boxWithSize('meta', 2 ** 31, Buffer.alloc(1000)),
  '60000-empty-boxes': () => repeatBytes(60_000, box('free')),
  '100000-boxes-of-metadata': () => repeatBytes(100_000, box('meta', be.u32(0))),
  'a-place-beyond-the-file': () => meta(items(1, item(1, 'Exif')), extents(1, extent(1, 2 ** 32 - 9, 1000))),
  'a-place-of-4-GiB': () => meta(items(1, item(1, 'Exif')), extents(1, extent(1, 0, 2 ** 32 - 1))),
  'a-place-that-is-the-file-itself': () =>
    meta(items(2, item(1, 'Exif'), item(2, 'mime')), extents(2, extent(1, 0, 500), extent(2, 0, 500))),
  '65535-items-claimed': () => meta(items(65_535), extents(65_535)),
  '30000-items': () => meta(items(30_000, ...Array.from({ length: 30_000 }, (_, i) => item(i, 'Exif'))), extents(0)),
  '5000-items-at-one-place': () =>
    meta(
      items(5000, ...Array.from({ length: 5000 }, (_, i) => item(i, 'Exif'))),
      extents(5000, ...Array.from({ length: 5000 }, (_, i) => extent(i, 0, 100_000))),
    ),
  'items-that-refer-to-each-other': () =>
    meta(fullBox('iref', ...[1, 2, 3].map((id) => box('dimg', be.u16(id, 2, (id % 3) + 1, id))))),
  'a-grid-of-65536-tiles': () =>
    meta(items(1, item(1, 'grid')), box('idat', u8(0, 1, 255, 255), be.u32(2 ** 31, 2 ** 31)), properties(size(9, 9))),
  'colours-of-4-MiB': () => meta(properties(size(9, 9), box('colr', latin('prof'), Buffer.alloc(4 * MiB, 'acsp')))),
  'brands-of-1-MiB': () => box('ftyp', Buffer.alloc(MiB, 'heic')),
  'tracks-inside': () =>
    Buffer.concat([
      meta(properties(size(9, 9))),
      nestBoxes('trak', 2000, box('mdia')),
      largeBoxWithSize('mdat', 2n ** 40n),
    ]),
};

const rows = (brand: string, extension: string): Recipe[] =>
  recipesOf(
    'image',
    `a.${extension}`,
    Object.entries(files).map(
      ([name, make]): Row => [`${extension}-of-${name}`, () => Buffer.concat([fileType(brand), make()])],
    ),
  );

/** The valid image with other numbers in one of its boxes. */
const changeBoxNumbers =
  (type: string, at: number, ...numbers: number[]): Row[1] =>
  ({ seed }) => {
    const image = seed('still.avif');
    return overwrite(image, offsetOf(image, type) + at, be.u32(...numbers));
  };
const images: Row[] = [
  ['avif-that-claims-2^31-a-side', changeBoxNumbers('ispe', 8, 2 ** 31, 2 ** 31)],
  ['avif-that-claims-no-size', changeBoxNumbers('ispe', 8, 0, 0)],
  ['avif-whose-metadata-say-2^31-bytes', changeBoxNumbers('meta', -4, 2 ** 31)],
  ['avif-whose-metadata-say-0-bytes', changeBoxNumbers('meta', -4, 0)],
  ['avif-whose-pixels-are-elsewhere', changeBoxNumbers('iloc', 8, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1)],
  [
    'avif-of-noise',
    ({ seed }) => overwrite(seed('still.avif'), offsetOf(seed('still.avif'), 'mdat') + 4, Buffer.alloc(9000, 0xa5)),
  ],
  ['avif-cut-in-its-type', ({ seed }) => seed('still.avif').subarray(0, 14), refusedOrNotOutcomes],
];

export const imageBoxes: Recipe[] = [
  ...rows('heic', 'heic'),
  ...rows('avif', 'avif'),
  ...recipesOf('image', 'a.avif', images),
];
