import { resizeJpeg } from '@assay/sidekicks/evidence/file/samples/make-image.ts';
import { be, latin, MiB, repeatBytes, u8 } from '../formats/bytes.ts';
import { externalEntities } from '../formats/entities.ts';
import type { Recipe } from '../formats/recipe.ts';
import { type Row, recipesOf, refusedOrNotOutcomes, refusedOutcomes } from '../formats/rows.ts';
import {
  directory,
  directoryBytes,
  directoryChain,
  directoryWeb,
  exifSegment,
  type Field,
  fieldTags,
  fieldTypes,
  insertAfterStart,
  jpegSegment,
  tiff,
} from '../formats/tiff.ts';

const uint32Max = 0xffffffff;

/** An image with these segments before all others. */
const jpegWith =
  (...parts: Uint8Array[]): Row[1] =>
  ({ seed }) =>
    insertAfterStart(seed('still.jpg'), ...parts);
/** EXIF whose second directory claims a thumbnail at this offset and of this length. */
const thumbnail = (at: number, bytes: number, ...parts: Uint8Array[]) =>
  exifSegment(
    directory([], 14),
    directory([
      [fieldTags.thumbnailAt, fieldTypes.long, 1, at],
      [fieldTags.thumbnailBytes, fieldTypes.long, 1, bytes],
    ]),
    ...parts,
  );
const thumbnailAt = 14 + directoryBytes(2);
const xmp = (text: string) => jpegSegment(0xe1, latin('http://ns.adobe.com/xap/1.0/\0'), latin(text));
const region = '<rdf:li mwg-rs:Name="Ann" mwg-rs:Type="Pet"/>';
const regions = (count: number) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"><mwg-rs:Regions><mwg-rs:RegionList><rdf:Bag>${region.repeat(count)}</rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>`;

const jpegs: Row[] = [
  ['jpeg-of-no-size', ({ seed }) => resizeJpeg(seed('still.jpg'), 0, 0)],
  ['jpeg-of-65535-a-side', ({ seed }) => resizeJpeg(seed('still.jpg'), 65_535, 65_535)],
  ['jpeg-without-a-frame', () => u8(0xff, 0xd8, 0xff, 0xd9)],
  ['jpeg-of-2-MiB-of-ff', () => Buffer.concat([u8(0xff, 0xd8), Buffer.alloc(2 * MiB, 0xff)])],
  ['jpeg-of-a-million-empty-segments', jpegWith(repeatBytes(1_000_000, u8(0xff, 0xe5, 0, 2)))],
  ['jpeg-of-50000-exif-segments', jpegWith(repeatBytes(50_000, exifSegment(directory([]))))],
  ['jpeg-of-segments-of-no-length', jpegWith(repeatBytes(100_000, u8(0xff, 0xe5, 0, 0)))],
  ['jpeg-of-a-million-standalone-marks', jpegWith(repeatBytes(1_000_000, u8(0xff, 0xd0)))],
  ['jpeg-of-65533-comments', jpegWith(repeatBytes(65_533, jpegSegment(0xfe, latin('x'))))],
  ['jpeg-segment-beyond-the-file', () => u8(0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0x45)],
  [
    'jpeg-scan-that-never-ends',
    ({ seed }) => Buffer.concat([seed('still.jpg').subarray(0, -2), Buffer.alloc(4 * MiB, u8(0xff, 0))]),
  ],
  ['jpeg-of-1000-images', ({ seed }) => Buffer.concat(Array<Buffer>(1000).fill(seed('still.jpg')))],
  [
    'jpeg-of-a-million-ends',
    ({ seed }) => Buffer.concat([seed('still.jpg'), repeatBytes(1_000_000, u8(0xff, 0xd8, 0xff, 0xd9))]),
  ],
  ['jpeg-exif-that-is-its-own-next', jpegWith(exifSegment(directory([], 8)))],
  [
    'jpeg-exif-of-a-ring',
    jpegWith(exifSegment(directoryChain(3000, () => [[fieldTags.description, fieldTypes.text, 4, 0]], 8))),
  ],
  [
    'jpeg-exif-of-3000-directories',
    jpegWith(
      exifSegment(directoryChain(3000, (i) => [[fieldTags.exif, fieldTypes.long, 1, 8 + 18 * ((i + 1) % 3000)]])),
    ),
  ],
  ['jpeg-exif-of-3000-parts-that-name-each-other', jpegWith(exifSegment(directoryWeb(3000)))],
  [
    'jpeg-exif-of-5000-fields-of-64-KiB',
    jpegWith(exifSegment(directory(Array<Field>(5000).fill([fieldTags.description, fieldTypes.text, 60_000, 8])))),
  ],
  [
    'jpeg-exif-notes-of-every-maker',
    jpegWith(
      ...['Canon', 'NIKON', 'SONY', 'Apple', 'Panasonic', 'OLYMPUS', 'PENTAX', 'FUJIFILM'].map((maker) =>
        exifSegment(
          directory([
            [271, fieldTypes.text, 10, 8 + directoryBytes(2)],
            [fieldTags.makerNotes, fieldTypes.bytes, 60_000, 8],
          ]),
          latin(maker.padEnd(10, '\0')),
        ),
      ),
    ),
  ],
  ['jpeg-thumbnail-beyond-the-file', jpegWith(thumbnail(uint32Max - 10, 1000))],
  ['jpeg-thumbnail-of-2^31-bytes', jpegWith(thumbnail(8, 2 ** 31))],
  ['jpeg-thumbnail-that-is-its-own-segment', jpegWith(thumbnail(0, 5000, u8(0xff, 0xd8)))],
  [
    'jpeg-thumbnail-of-65500-a-side',
    ({ seed }) => withThumbnail(seed('still.jpg'), resizeJpeg(seed('still.jpg'), 65_500, 65_500)),
  ],
  [
    'jpeg-thumbnail-of-19000-a-side',
    ({ seed }) => withThumbnail(seed('still.jpg'), resizeJpeg(seed('still.jpg'), 19_000, 19_000)),
  ],
  [
    'jpeg-thumbnail-of-one-line',
    ({ seed }) => withThumbnail(seed('still.jpg'), resizeJpeg(seed('still.jpg'), 65_535, 1)),
  ],
  [
    'jpeg-thumbnails-in-thumbnails',
    ({ seed }) =>
      withThumbnail(
        seed('still.jpg'),
        withThumbnail(seed('still.jpg'), withThumbnail(seed('still.jpg'), seed('still.jpg'))),
      ),
  ],
  [
    'jpeg-200-thumbnails',
    ({ seed }) =>
      insertAfterStart(seed('still.jpg'), repeatBytes(200, thumbnail(thumbnailAt, 3, u8(0xff, 0xd8, 0xff)))),
  ],
  [
    'jpeg-colours-in-255-pieces-that-are-missing',
    jpegWith(jpegSegment(0xe2, latin('ICC_PROFILE\0'), u8(255, 255), Buffer.alloc(60_000))),
  ],
  [
    'jpeg-20000-pieces-of-colours',
    jpegWith(repeatBytes(20_000, jpegSegment(0xe2, latin('ICC_PROFILE\0'), u8(1, 1), Buffer.alloc(100)))),
  ],
  [
    'jpeg-65535-further-images',
    jpegWith(
      jpegSegment(
        0xe2,
        latin('MPF\0'),
        tiff(
          directory([
            [0xb001, fieldTypes.long, 1, 65_535],
            [0xb002, fieldTypes.bytes, 65_535 * 16, 50],
          ]),
        ),
      ),
    ),
  ],
  [
    'jpeg-photoshop-resources-without-an-end',
    jpegWith(jpegSegment(0xed, latin('Photoshop 3.0\0'), repeatBytes(5000, latin('8BIM\x04\x0c\0\0\xff\xff\xff\xff')))),
  ],
  [
    'jpeg-extended-xmp-of-4-GiB',
    jpegWith(
      jpegSegment(
        0xe1,
        latin(`http://ns.adobe.com/xmp/extension/\0${'0'.repeat(32)}`),
        be.u32(uint32Max, 0),
        latin('x'),
      ),
    ),
  ],
  ['jpeg-xmp-20000-deep', jpegWith(xmp(`<x:xmpmeta><rdf:RDF>${'<a>'.repeat(20_000)}`))],
  [
    'jpeg-xmp-of-entities',
    (fixture) => insertAfterStart(fixture.seed('still.jpg'), xmp(`${externalEntities(fixture)}<x:xmpmeta>&a;&b;`)),
  ],
  ['jpeg-xmp-of-regions', jpegWith(repeatBytes(20, xmp(regions(1000))))],
  ['jpeg-that-is-a-text', () => latin('\xff\xd8\xff is how a JPEG begins'), refusedOrNotOutcomes],
  ['jpeg-of-another-kind', () => u8(0xff, 0xd8, 0xff, 0xf7, 0, 8, 1, 2, 3), refusedOutcomes],
];

function withThumbnail(jpeg: Buffer, small: Buffer): Buffer {
  return insertAfterStart(jpeg, thumbnail(thumbnailAt, small.length, small));
}

export const imageJpegs: Recipe[] = recipesOf('image', 'a.jpg', jpegs);
