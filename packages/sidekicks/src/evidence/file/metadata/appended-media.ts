import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Reading } from '#evidence/bounded.ts';
import { readBytes } from '../bytes/read-bytes.ts';
import { findAppendedVideo } from '../image/appended-video.ts';
import { firstJpegEnd } from '../image/image-walk.ts';
import { type ExifBlocks, findExifBlocks } from './embedded-photos.ts';
import { runExifTool } from './exiftool.ts';
import { type MetadataReport, readMetadataReport } from './metadata-report.ts';

type Tags = Pick<MetadataReport, 'tags' | 'complaints'>;

/**
 * The tags of the video in a motion photo, which has its own position. ExifTool reads an appended video only if the
 * metadata of the photo name it.
 */
export async function readAppendedVideo(source: Source, reading: Reading): Promise<Tags> {
  const at = await findAppendedVideo(source);
  if (at === null || !reading.accepts('imageBytes', source.bytes.sizeBytes)) return { tags: [], complaints: [] };
  const video = await readBytes(source.bytes, at, source.bytes.sizeBytes - at);
  const hitBefore = reading.hit.length;
  const end = await withAnonymousFile(video, (fd) => runExifTool(['-ee'], { ...source, fd }, reading));
  const report = end && readMetadataReport(end.stdout.toString(), reading);
  if (report) return { tags: report.tags.map((tag) => ({ ...tag, isEmbedded: true })), complaints: report.complaints };
  const isLimit = reading.hit.length > hitBefore;
  const complaint = { text: 'ExifTool could not read the video in the photo.', reason: 'damaged' } as const;
  return { tags: [], complaints: isLimit ? [] : [complaint] };
}

/** EXIF blocks of photos that are stored behind a JPEG, whether or not the first one names them. */
export async function findAppendedPhotos(source: Source, recognition: string, reading: Reading): Promise<ExifBlocks> {
  const end = recognition === 'image/jpeg' ? await firstJpegEnd(source, reading) : null;
  return end === null ? new Map() : findExifBlocks(source, reading, end);
}
