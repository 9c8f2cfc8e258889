import { mediaTypes } from '@assay/contract/media-types.ts';
import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { type Bounded, createReading, type Limits, type Reading } from '#evidence/bounded.ts';
import { isEncryptedOffice } from '../archive/office-encryption.ts';
import { readZipDirectory } from '../archive/zip-directory.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { recognise } from '../format/recognise.ts';
import { findAppendedPhotos, readAppendedVideo } from './appended-media.ts';
import { type ExifBlocks, findExifBlocks, readEmbeddedPhotos } from './embedded-photos.ts';
import { type ExifToolBounds, runExifTool } from './exiftool.ts';
import { type MetadataReport, readMetadataReport } from './metadata-report.ts';
import { findOfficeExifBlocks } from './office-photos.ts';
import { readOfficeProperties } from './office-properties.ts';
import { readThumbnails, type Thumbnail } from './thumbnails.ts';
import { copyBw64Chunks } from './wav-chunks.ts';

export type Metadata = MetadataReport &
  Bounded & {
    thumbnails: Thumbnail[];
    /** The photos inside the file whose metadata was read. */
    photoCount: number;
  };

const isOffice = (recognition: string) => recognition.startsWith('application/vnd.openxmlformats-officedocument.');

// Text has no tags. ExifTool recognises raw AAC only by its file extension, and `/in` has none; ffprobe reads its tags.
const formatsWithoutTags = new Set(['text', 'text/vtt', 'audio/aac']);
const formatsWithTags = new Set(
  mediaTypes.flatMap(({ recognisedAs }) => recognisedAs).filter((name) => !formatsWithoutTags.has(name)),
);

// ExifTool would parse every frame of a transport stream, which takes minutes for a large one.
const formatsReadWithoutEmbedded = new Set(['video/mp2t']);

const searchWindowBytes = 1024 * 1024;

type Parts = MetadataReport & { thumbnails?: Thumbnail[]; blocks?: ExifBlocks };

/** Reads the metadata of a file, from every place where its format can store metadata; `null` if it has no such place. */
export async function readMetadata(source: Source, limits?: Limits): Promise<Metadata | null> {
  const recognition = await recognise(source.bytes);
  source.signal.throwIfAborted();
  if (formatsWithoutTags.has(recognition)) return null;
  const reading = createReading(limits);
  const { blocks = new Map(), thumbnails = [], ...report } = await readParts(source, recognition, reading);
  const photos = await readEmbeddedPhotos(source, blocks, reading);
  return {
    ...report,
    tags: [...report.tags, ...photos.tags],
    complaints: [...report.complaints, ...photos.complaints],
    thumbnails,
    photoCount: blocks.size,
    hit: reading.hit,
  };
}

async function readParts(source: Source, recognition: string, reading: Reading): Promise<Parts> {
  if (!formatsWithTags.has(recognition)) {
    return unreadReport((await isEncryptedOffice(source)) ? 'encrypted' : 'unsupported');
  }
  if (isOffice(recognition)) return readOffice(source, reading);
  const report = await readAnyWav(source, (readable) => readWithExifTool(readable, recognition, reading));
  if (recognition.startsWith('image/')) {
    const video = await readAppendedVideo(source, reading);
    return {
      ...report,
      tags: [...report.tags, ...video.tags],
      complaints: [...report.complaints, ...video.complaints],
      thumbnails: await readThumbnails(source, report.tags, recognition, reading),
      blocks: await findAppendedPhotos(source, recognition, reading),
    };
  }
  if (recognition !== 'application/pdf' && !recognition.startsWith('audio/')) return report;
  return { ...withEncryption(report), blocks: await findExifBlocks(source, reading) };
}

async function readOffice(source: Source, reading: Reading): Promise<Parts> {
  const directory = await readZipDirectory(source.bytes, reading);
  if (!directory) return unreadReport('damaged');
  const report = await readOfficeProperties(source, directory, reading);
  const { blocks, complaints } = await findOfficeExifBlocks(source, directory, reading);
  return { ...report, complaints: [...report.complaints, ...complaints], blocks };
}

const unreadTexts = {
  encrypted: 'The document is encrypted.',
  damaged: 'The archive directory cannot be read.',
  unsupported: 'The format is not supported.',
} as const satisfies Partial<Record<NotExaminedReason, string>>;

function unreadReport(reason: keyof typeof unreadTexts): MetadataReport {
  return { reader: '', tags: [], track: null, complaints: [{ text: unreadTexts[reason], reason }] };
}

/** Without a password, ExifTool reads the properties of some encrypted PDFs. Photos in them stay encrypted. */
function withEncryption(report: MetadataReport): MetadataReport {
  const isEncrypted = report.tags.some(({ family, name }) => family === 'PDF' && name === 'Encryption');
  if (!isEncrypted || report.complaints.some(({ reason }) => reason === 'encrypted')) return report;
  const complaint = { text: 'Photos in the encrypted document cannot be read.', reason: 'encrypted' } as const;
  return { ...report, complaints: [...report.complaints, complaint] };
}

async function readAnyWav<T>(source: Source, read: (readable: Source) => Promise<T>): Promise<T> {
  const chunks = await copyBw64Chunks(source);
  return chunks ? withAnonymousFile(chunks, (fd) => read({ ...source, fd })) : read(source);
}

/**
 * Runs ExifTool on the whole file, including embedded content. If that exceeds the limits, reads everything except
 * embedded content.
 */
async function readWithExifTool(source: Source, recognition: string, reading: Reading): Promise<MetadataReport> {
  // Composite tags take time for every sample. Only those that contain thumbnails are needed.
  const options = recognition.startsWith('image/') ? [] : ['-e'];
  const mayHaveTracks = !/^(image\/|application\/pdf$)/.test(recognition);
  const cpu = mayHaveTracks ? 'trackCpuSeconds' : 'exifToolCpuSeconds';
  const hasEmbedded = !formatsReadWithoutEmbedded.has(recognition);
  const report = hasEmbedded
    ? await readReport([...options, '-ee'], source, reading, { cpu, output: 'embeddedOutputBytes' })
    : null;
  if (report) return report;
  // Without embedded content, ExifTool would decrypt for as long again.
  if (recognition === 'application/pdf' && (await isEncryptedPdf(source))) return unreadReport('encrypted');
  const partial = await readReport(options, source, reading, { cpu, output: 'exifToolOutputBytes' });
  if (partial) {
    const isExplained = !hasEmbedded || reading.hit.length > 0;
    const complaint = { text: 'Embedded content cannot be read.', reason: 'damaged' } as const;
    return isExplained ? partial : { ...partial, complaints: [...partial.complaints, complaint] };
  }
  const complaint = { text: 'ExifTool gave no answer.', reason: 'damaged' } as const;
  return { reader: 'ExifTool', tags: [], track: null, complaints: reading.hit.length > 0 ? [] : [complaint] };
}

/** Whether the PDF names an encryption dictionary. Only for one that ExifTool could not read: other text can look like it. */
async function isEncryptedPdf({ bytes, signal }: Source): Promise<boolean> {
  const key = '/Encrypt';
  for (let offset = 0; offset < bytes.sizeBytes; offset += searchWindowBytes) {
    signal.throwIfAborted();
    if ((await readBytes(bytes, offset, searchWindowBytes + key.length)).includes(key)) return true;
  }
  return false;
}

/** `null` if ExifTool exceeded its limits or crashed. */
async function readReport(
  options: readonly string[],
  source: Source,
  reading: Reading,
  bounds: ExifToolBounds,
): Promise<MetadataReport | null> {
  const end = await runExifTool(options, source, reading, bounds);
  if (end?.exitCode === 126 || end?.exitCode === 127) {
    throw new Error(`exiftool could not be run: ${end.stderr.slice(0, 500)}`);
  }
  // For a damaged file, ExifTool exits with 1 and adds an error to the tags that it could read.
  return end && readMetadataReport(end.stdout.toString(), reading);
}
