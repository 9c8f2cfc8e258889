import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { makeOfficeFile, type Part, relationships } from '@assay/testing/media/make-office.ts';
import { makePdf, objectStream } from '@assay/testing/media/make-pdf.ts';
import { sample } from '@assay/testing/media/samples.ts';
import { withPosition } from '#checks/metadata-privacy/samples/make-exif.ts';
import type { BoundName } from '#evidence/bounded.ts';
import { makePng, makeTiff, patchBytes, pngChunk } from './make-image.ts';

/** A file that hits a bound. Where that takes a large file, or minutes, it hits a lower one. */
export type BoundSample = { filename: string; make(): Uint8Array; lowered?: number };

const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const docx = (parts: Part[] = []) => makeOfficeFile('docx', parts);
const embed = (inner: Buffer, count = 1) =>
  docx(many(count, (i) => ({ name: `word/embeddings/${i}.xlsx`, data: inner })));
const core = (elements: string): Part => ({ name: 'docProps/core.xml', data: `<p>${elements}</p>` });
const templates = (count: number) =>
  relationships(many(count, (i) => ['attachedTemplate', `https://x.invalid/${i}.dotm`, true]));
const photo = (i: number, data = exifSegment(i)): Part => ({ name: `word/media/image${i}.jpg`, data });
const twoPhotos = () => docx([photo(0), photo(1)]);
const packedPdf = () => makePdf({ objects: [objectStream(['<< /A 1 >>']), objectStream(['<< /B 2 >>'])] });
const still = (name: string) => () => sample(name);

export const boundSamples: Record<BoundName, BoundSample> = {
  zipDirectoryBytes: { filename: 'a.docx', make: () => docx(), lowered: 100 },
  zipEntries: { filename: 'a.docx', make: () => docx(), lowered: 2 },
  zipPartPackedBytes: { filename: 'a.docx', make: () => docx(), lowered: 50 },
  zipPartBytes: {
    filename: 'a.docx',
    make: () => docx([{ name: 'word/_rels/a.rels', data: Buffer.alloc(2_000_000, 32) }]),
  },
  relationshipParts: { filename: 'a.docx', make: () => docx(), lowered: 1 },
  relationshipBytes: { filename: 'a.docx', make: () => docx(), lowered: 500 },
  relationships: {
    filename: 'a.docx',
    make: () => docx([{ name: 'word/_rels/settings.xml.rels', data: templates(1001) }]),
  },
  nestedPackages: { filename: 'a.docx', make: () => embed(makeOfficeFile('xlsx'), 201) },
  nestedPackageBytes: { filename: 'a.docx', make: () => embed(makeOfficeFile('xlsx')), lowered: 100 },
  nestedBytes: { filename: 'a.docx', make: () => embed(makeOfficeFile('xlsx')), lowered: 100 },
  nestedDepth: { filename: 'a.docx', make: () => embed(embed(embed(docx()))) },
  propertyParts: { filename: 'a.docx', make: () => docx(many(11, () => core('<dc:title>a</dc:title>'))) },
  properties: { filename: 'a.docx', make: () => docx([core('<a>b</a>'.repeat(1001))]) },
  pdfBytes: { filename: 'a.pdf', make: () => makePdf(), lowered: 200 },
  pdfObjectStreams: { filename: 'a.pdf', make: packedPdf, lowered: 1 },
  pdfObjectStreamBytes: { filename: 'a.pdf', make: packedPdf, lowered: 10 },
  pdfInflatedStreamBytes: { filename: 'a.pdf', make: packedPdf, lowered: 10 },
  pdfInflatedBytes: { filename: 'a.pdf', make: packedPdf, lowered: 20 },
  pdfFilters: { filename: 'a.pdf', make: pdfWithNineFilters },
  pdfDepth: {
    filename: 'a.pdf',
    make: () => makePdf({ objects: [`${'<< /A '.repeat(129)}1${' >>'.repeat(129)}`] }),
  },
  imageBytes: { filename: 'a.png', make: still('still.png'), lowered: 60 },
  trailingImages: { filename: 'a.jpg', make: () => Buffer.concat(many(18, () => sample('still.jpg'))) },
  pngChunks: { filename: 'a.png', make: () => insertAt(makePng(8, 8), 33, Buffer.concat(many(300, emptyChunk))) },
  tiffDirectories: { filename: 'a.tiff', make: tiffWithManyPages },
  tiffFields: { filename: 'a.tiff', make: () => patchBytes(makeTiff(8, 8), 8, [0x88, 0x13]) },
  heifBoxes: { filename: 'a.avif', make: avifWithManyBoxes },
  heifMetaBytes: { filename: 'a.avif', make: still('still.avif'), lowered: 100 },
  textBytes: { filename: 'a.txt', make: () => Buffer.from('A text.\n'), lowered: 4 },
  metadataTags: { filename: 'a.jpg', make: () => withPosition(sample('still.jpg')), lowered: 5 },
  metadataCharacters: { filename: 'a.jpg', make: () => withPosition(sample('still.jpg')), lowered: 3 },
  exifToolCpuSeconds: { filename: 'a.png', make: slowPng, lowered: 1 },
  trackCpuSeconds: { filename: 'a.mp4', make: slowMp4, lowered: 1 },
  exifToolOutputBytes: { filename: 'a.ts', make: still('clip.ts'), lowered: 100 },
  embeddedOutputBytes: { filename: 'a.mov', make: still('clip.mov'), lowered: 100 },
  thumbnails: { filename: 'a.jpg', make: () => jpegWithThumbnail(), lowered: 0 },
  thumbnailBytes: { filename: 'a.jpg', make: () => jpegWithThumbnail(), lowered: 100 },
  photos: { filename: 'a.docx', make: () => docx(many(201, (i) => photo(i))) },
  photoParts: { filename: 'a.docx', make: twoPhotos, lowered: 1 },
  photoHeadBytes: { filename: 'a.docx', make: () => docx([{ ...photo(0, longHeader()), isStored: true }]) },
  photoInflatedBytes: { filename: 'a.docx', make: () => docx([photo(0, Buffer.alloc(5_000_000))]) },
  photoBytes: { filename: 'a.docx', make: twoPhotos, lowered: 100 },
  photoSearchBytes: { filename: 'a.mp3', make: still('tone.mp3'), lowered: 100 },
};

function insertAt(file: Uint8Array, at: number, more: Uint8Array): Buffer {
  return Buffer.concat([file.subarray(0, at), more, file.subarray(at)]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(2 + content.length, 2);
  return Buffer.concat([head, content]);
}

/** A JPEG with an EXIF block that differs from that of every other number. */
export function exifSegment(i: number): Buffer {
  const directory = Buffer.alloc(40);
  directory.writeUInt32BE(8, 0);
  directory.writeUInt32BE(i, 10);
  const block = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0MM\0*'), directory]));
  return Buffer.concat([Buffer.from([0xff, 0xd8]), block, Buffer.from([0xff, 0xda, 0, 2, 0xff, 0xd9])]);
}

/** A JPEG whose pixels begin after 1.2 MB of other segments. */
function longHeader(): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...many(20, () => segment(0xe2, Buffer.alloc(60_000, 7)))]);
}

/** Nine filters in a row hide a script that fewer of them would show. */
function pdfWithNineFilters(): Buffer {
  const encode = (plain: Buffer) => Buffer.from(`${plain.toString('hex')}>`);
  const encodeAll = (plain: Buffer) => many(9, () => encode).reduce((bytes, once) => once(bytes), plain);
  const filters = `/Filter [${'/ASCIIHexDecode '.repeat(9)}]`;
  return makePdf({ objects: [objectStream(['<< /S /JavaScript /JS (x) >>'], filters, encodeAll)] });
}

function emptyChunk(): Buffer {
  return pngChunk('teXt', Buffer.alloc(0));
}

/** A TIFF with 257 pages, each with its directory after that of the page before. */
function tiffWithManyPages(): Buffer {
  const first = makeTiff(8, 8);
  const page = first.subarray(8);
  const pages = many(257, (i) => {
    const copy = Buffer.from(page);
    copy.writeUInt32LE(i < 256 ? 8 + (i + 1) * page.length : 0, page.length - 4);
    return copy;
  });
  return Buffer.concat([first.subarray(0, 8), ...pages]);
}

function avifWithManyBoxes(): Buffer {
  const avif = Buffer.from(sample('still.avif'));
  const free = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);
  return insertAt(avif, avif.readUInt32BE(0), Buffer.concat(many(70, () => free)));
}

/** XMP with so many properties that ExifTool needs seconds. */
function slowXmp(): string {
  const properties = many(60_000, (i) => `<x:t${i}>${i} a</x:t${i}>`).join('');
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}><rdf:Description rdf:about="">${properties}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

function slowPng(): Buffer {
  const text = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), deflateSync(slowXmp())]);
  return insertAt(makePng(8, 8), 33, pngChunk('iTXt', text));
}

function slowMp4(): Buffer {
  const content = Buffer.concat([Buffer.from('BE7ACFCB97A942E89C71999491E3AFAC', 'hex'), Buffer.from(slowXmp())]);
  const head = Buffer.from([0, 0, 0, 0, ...Buffer.from('uuid')]);
  head.writeUInt32BE(8 + content.length, 0);
  return Buffer.concat([sample('clip.mp4'), head, content]);
}

export function jpegWithThumbnail(from: Uint8Array = sample('still.jpg')): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'assay-thumbnail-'));
  try {
    const [image, thumbnail] = [join(folder, 'a.jpg'), join(folder, 'small.jpg')];
    writeFileSync(image, sample('still.jpg'));
    writeFileSync(thumbnail, from);
    execFileSync('exiftool', ['-q', '-m', '-overwrite_original', `-ThumbnailImage<=${thumbnail}`, image]);
    return readFileSync(image);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
