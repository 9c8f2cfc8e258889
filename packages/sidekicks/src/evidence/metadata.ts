import { assetBytesMax } from '@assay/contract/limits.ts';
import { mediaTypes } from '@assay/contract/media-types.ts';
import { findExifBlocks, findOfficeExifBlocks, readEmbeddedPhotos } from './embedded-photos.ts';
import { exifTool, exifToolLimits } from './exiftool.ts';
import { type MetadataReport, readMetadataReport } from './metadata-report.ts';
import { readOfficeProperties } from './office-properties.ts';
import { recognise } from './recognise.ts';
import { runTool, type Tool } from './run-tool.ts';
import type { Source } from './source.ts';
import { readThumbnails, type Thumbnail } from './thumbnails.ts';
import { withinLimits } from './within-limits.ts';

export type Metadata = MetadataReport & { thumbnails: Thumbnail[] };

const isOffice = (recognition: string) => recognition.startsWith('application/vnd.openxmlformats-officedocument.');

// Texts have no tags. ExifTool knows raw AAC by its file name alone, and here files have none.
const untagged = new Set(['text', 'text/vtt', 'audio/aac']);
const tagged = new Set(mediaTypes.flatMap(({ recognisedAs }) => recognisedAs).filter((name) => !untagged.has(name)));

/** Each sample of a track takes about 0.3 ms, and a long video has a hundred thousand. */
const trackCpuSecondsMax = 60;

/** The cover of a sound stands before it. */
const coverBytesMax = 16 * 1024 * 1024;

// In a transport stream ExifTool would parse every frame to its end: minutes for a large one.
const withoutEmbedded = new Set(['video/mp2t']);

/**
 * What the file says of itself beside what it shows, in all the places where its format lets it. So many bytes may be
 * said of what is embedded in it.
 */
export async function readMetadata(
  source: Source,
  embeddedBytesMax: number = exifToolLimits.outputBytesMax,
): Promise<Metadata | null> {
  const recognition = await recognise(source.bytes);
  source.signal.throwIfAborted();
  if (!tagged.has(recognition)) return null;
  if (isOffice(recognition)) {
    const properties = await readOfficeProperties(source);
    return properties && withPhotos({ ...properties, thumbnails: [] }, source, await findOfficeExifBlocks(source));
  }
  const isImage = recognition.startsWith('image/');
  const report = await askExifTool(source, recognition, embeddedBytesMax);
  if (isImage) return { ...report, thumbnails: await readThumbnails(source, report.tags, recognition) };
  return withPhotos({ ...report, thumbnails: [] }, source, await findExifBlocks(source, searchedBytesOf(recognition)));
}

/** How far photographs are searched for that may lie inside. */
function searchedBytesOf(recognition: string): number {
  if (recognition === 'application/pdf') return assetBytesMax.document;
  return recognition.startsWith('audio/') ? coverBytesMax : 0;
}

async function withPhotos(metadata: Metadata, source: Source, blocks: readonly Buffer[]): Promise<Metadata> {
  const tags = await readEmbeddedPhotos(source, blocks);
  return { ...metadata, tags: [...metadata.tags, ...tags] };
}

/** What is embedded is read too, unless that goes beyond the limits: then what else there is, and that it is not all. */
async function askExifTool(source: Source, recognition: string, embeddedBytesMax: number): Promise<MetadataReport> {
  // What it works out from other tags takes time with every sample; of these only thumbnails are of use.
  const options = recognition.startsWith('image/') ? [] : ['-e'];
  const mayHaveTracks = !/^(image\/|application\/pdf$)/.test(recognition);
  const limits = mayHaveTracks ? { cpuSecondsMax: trackCpuSecondsMax } : {};
  const hasEmbedded = !withoutEmbedded.has(recognition);
  const full = { ...exifTool([...options, '-ee']), ...limits, outputBytesMax: embeddedBytesMax };
  const report = hasEmbedded ? await read(source, full) : null;
  if (report) return report;
  const least = await read(source, { ...exifTool(options), ...limits });
  if (least) return { ...least, isWhole: least.isWhole && !hasEmbedded };
  return { reader: 'ExifTool', tags: [], track: null, complaints: ['ExifTool gave no answer.'], isWhole: false };
}

/** `null` where it went beyond its limits, or broke. */
async function read(source: Source, tool: Tool): Promise<MetadataReport | null> {
  const end = await withinLimits(runTool(tool, source));
  if (end?.exitCode === 126 || end?.exitCode === 127) {
    throw new Error(`exiftool could not be run: ${end.stderr.slice(0, 500)}`);
  }
  // A damaged file makes it end with 1 and say so among the tags that it could read.
  return end && readMetadataReport(end.stdout.toString());
}
