import { assetBytesMax } from '@assay/contract/limits.ts';
import { mediaTypes } from '@assay/contract/media-types.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withinLimits } from '@assay/jail/within-limits.ts';
import { recognise } from '../format/recognise.ts';
import { findExifBlocks, findOfficeExifBlocks, readEmbeddedPhotos } from './embedded-photos.ts';
import { exifTool, exifToolLimits } from './exiftool.ts';
import { type MetadataReport, readMetadataReport } from './metadata-report.ts';
import { readOfficeProperties } from './office-properties.ts';
import { readThumbnails, type Thumbnail } from './thumbnails.ts';

export type Metadata = MetadataReport & { thumbnails: Thumbnail[] };

const isOffice = (recognition: string) => recognition.startsWith('application/vnd.openxmlformats-officedocument.');

// Text has no tags. ExifTool recognises raw AAC only by its file extension, and `/in` has none.
const formatsWithoutTags = new Set(['text', 'text/vtt', 'audio/aac']);
const formatsWithTags = new Set(
  mediaTypes.flatMap(({ recognisedAs }) => recognisedAs).filter((name) => !formatsWithoutTags.has(name)),
);

/** ExifTool takes about 0.3 ms for a sample of a track, and a long video has a hundred thousand samples. */
const trackCpuSecondsMax = 60;

/** Cover art is stored before the audio. */
const coverBytesMax = 16 * 1024 * 1024;

// ExifTool would parse every frame of a transport stream, which takes minutes for a large one.
const formatsReadWithoutEmbedded = new Set(['video/mp2t']);

/**
 * Reads the metadata of a file, from every place where its format can store metadata. `embeddedBytesMax` limits
 * ExifTool's output when it also reads embedded content.
 */
export async function readMetadata(
  source: Source,
  embeddedBytesMax: number = exifToolLimits.outputBytesMax,
): Promise<Metadata | null> {
  const recognition = await recognise(source.bytes);
  source.signal.throwIfAborted();
  if (!formatsWithTags.has(recognition)) return null;
  if (isOffice(recognition)) {
    const properties = await readOfficeProperties(source);
    return properties && withPhotos({ ...properties, thumbnails: [] }, source, await findOfficeExifBlocks(source));
  }
  const isImage = recognition.startsWith('image/');
  const report = await runExifTool(source, recognition, embeddedBytesMax);
  if (isImage) return { ...report, thumbnails: await readThumbnails(source, report.tags, recognition) };
  return withPhotos({ ...report, thumbnails: [] }, source, await findExifBlocks(source, searchedBytesOf(recognition)));
}

/** Returns how many bytes are searched for embedded photos. */
function searchedBytesOf(recognition: string): number {
  if (recognition === 'application/pdf') return assetBytesMax.document;
  return recognition.startsWith('audio/') ? coverBytesMax : 0;
}

async function withPhotos(metadata: Metadata, source: Source, blocks: readonly Buffer[]): Promise<Metadata> {
  const tags = await readEmbeddedPhotos(source, blocks);
  return { ...metadata, tags: [...metadata.tags, ...tags] };
}

/**
 * Runs ExifTool on the whole file, including embedded content. If that exceeds the limits, reads everything except
 * embedded content, and marks the report as incomplete.
 */
async function runExifTool(source: Source, recognition: string, embeddedBytesMax: number): Promise<MetadataReport> {
  // Composite tags take time for every sample. Only those that contain thumbnails are needed.
  const options = recognition.startsWith('image/') ? [] : ['-e'];
  const mayHaveTracks = !/^(image\/|application\/pdf$)/.test(recognition);
  const limits = mayHaveTracks ? { cpuSecondsMax: trackCpuSecondsMax } : {};
  const hasEmbedded = !formatsReadWithoutEmbedded.has(recognition);
  const withEmbedded = { ...exifTool([...options, '-ee']), ...limits, outputBytesMax: embeddedBytesMax };
  const report = hasEmbedded ? await readReport(source, withEmbedded) : null;
  if (report) return report;
  const partial = await readReport(source, { ...exifTool(options), ...limits });
  if (partial) return { ...partial, isWhole: partial.isWhole && !hasEmbedded };
  return { reader: 'ExifTool', tags: [], track: null, complaints: ['ExifTool gave no answer.'], isWhole: false };
}

/** `null` if ExifTool exceeded its limits or crashed. */
async function readReport(source: Source, tool: Tool): Promise<MetadataReport | null> {
  const end = await withinLimits(runTool(tool, source));
  if (end?.exitCode === 126 || end?.exitCode === 127) {
    throw new Error(`exiftool could not be run: ${end.stderr.slice(0, 500)}`);
  }
  // For a damaged file, ExifTool exits with 1 and adds an error to the tags that it could read.
  return end && readMetadataReport(end.stdout.toString());
}
