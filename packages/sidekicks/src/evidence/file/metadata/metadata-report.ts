import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { Reading } from '#evidence/bounded.ts';

export type MetadataTag = {
  /** ExifTool's group 0, the type of metadata: `EXIF`, `XMP`, `QuickTime`, `MakerNotes`. */
  family: string;
  /** ExifTool's group 1, the location within it: `GPS`, `XMP-dc`, `Keys`. */
  group: string;
  /** Whether the tag belongs to something inside the file, such as an image in a PDF or a sample of a track. */
  isEmbedded: boolean;
  name: string;
  value: string;
};

/** Timed GPS positions of a video. */
export type PositionTrack = {
  sampleCount: number;
  /** `timeMs` is null if the file declares no time. */
  samples: { latitude: number; longitude: number; timeMs: number | null }[];
  startMs: number | null;
  endMs: number | null;
};

/** What the reader could not read, in its words. */
export type Complaint = { text: string; reason: NotExaminedReason };

export type MetadataReport = {
  /** The program that read the metadata: `ExifTool 12.57`. */
  reader: string;
  tags: MetadataTag[];
  track: PositionTrack | null;
  complaints: Complaint[];
};

/**
 * Every frame or sample of a long video can repeat a tag with another number, such as the exposure. More than these say
 * nothing about a person or a place.
 */
const numbersKeptMax = 20;
/** Names are compared with known ones, none of which is as long. */
const nameCharactersMax = 100;
/** One complaint is enough for the metadata to count as unread. */
const complaintsMax = 10;
const complaintCharactersMax = 4096;

// Tags about ExifTool itself, or derived from other tags.
const isDerivedFamily = (family: string) => family === 'ExifTool' || family === 'Composite';
const unreadableWarning = /password|(?:unsupported|not supported).*encrypt|encrypt.*(?:unsupported|not supported)/i;

const encryptionWarning = /password|encrypt/i;
/** Latitude and longitude are paired by their order, so no copy of them is dropped. */
const positionName = /gps|geo|location|coordinates|position/i;
const plainNumbers = /^[\d\s.,eE+-]{1,200}$/;

type PositionSample = { latitude?: number; longitude?: number; timeSeconds?: number };

/** Reads ExifTool's JSON with `-G:0:1:3:4` (keys like `EXIF:GPS:Main::GPSLatitude`); `null` if it is invalid. */
export function readMetadataReport(json: string, reading: Reading): MetadataReport | null {
  const rows = readRows(json);
  if (!rows) return null;
  const report: MetadataReport = { reader: 'ExifTool', tags: [], track: null, complaints: [] };
  const samples = new Map<string, PositionSample>();
  const isRepetition = createRepetitionTest();
  for (const [key, value] of rows) {
    const [family = '', group = '', document = '', , ...rest] = key.split(':');
    const name = rest.join(':').slice(0, nameCharactersMax);
    if (family === 'ExifTool') readExifToolTag(report, name, value);
    if (name === '' || (isDerivedFamily(family) && !isBinary(value))) continue;
    const isEmbedded = document !== 'Main';
    if (isEmbedded && addToSample(samples, family, document, name, value)) continue;
    if (isRepetition(`${group}:${name}`, name, value)) continue;
    for (const one of [value].flat()) {
      if (!reading.take('metadataTags')) break;
      report.tags.push({ family, group, isEmbedded, name, value: cutValue(String(one), reading) });
    }
  }
  report.track = trackOf(samples);
  return report;
}

/** The part of a value that is read. */
export function cutValue(value: string, reading: Reading): string {
  reading.accepts('metadataCharacters', value.length);
  return value.slice(0, reading.left('metadataCharacters'));
}

/** Whether a copy of a tag says nothing new: it has the value of another copy, or is one more of many numbers. */
function createRepetitionTest(): (key: string, name: string, value: unknown) => boolean {
  const seen = new Set<string>();
  const numbers = new Map<string, number>();
  return (key, name, value) => {
    if (positionName.test(name) || isBinary(value)) return false;
    const text = JSON.stringify(value);
    const pair = `${key} ${text}`;
    if (seen.has(pair)) return true;
    if (!plainNumbers.test(typeof value === 'string' ? value : text)) {
      seen.add(pair);
      return false;
    }
    const count = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, count);
    return count > numbersKeptMax;
  };
}

/** `(Binary data 7038 bytes, use -b option to extract)` → 7038 */
export function binaryBytesOf(value: string): number | null {
  const bytes = /^\(Binary data (\d{1,12}) bytes/.exec(value)?.[1];
  return bytes ? Number(bytes) : null;
}

function isBinary(value: unknown): boolean {
  return typeof value === 'string' && binaryBytesOf(value) !== null;
}

function readExifToolTag(report: MetadataReport, name: string, value: unknown): void {
  if (name === 'ExifToolVersion') report.reader = `ExifTool ${String(value).slice(0, 20)}`;
  const isComplaint = name === 'Error' || (name === 'Warning' && unreadableWarning.test(String(value)));
  if (isComplaint && report.complaints.length < complaintsMax) {
    const text = String(value).slice(0, complaintCharactersMax);
    report.complaints.push({ text, reason: encryptionWarning.test(text) ? 'encrypted' : 'damaged' });
  }
}

/** An image inside a PDF also has a position, but no time, so its position stays in the tags. */
function addToSample(
  samples: Map<string, PositionSample>,
  family: string,
  document: string,
  name: string,
  value: unknown,
): boolean {
  const member = { GPSLatitude: 'latitude', GPSLongitude: 'longitude', SampleTime: 'timeSeconds' }[name];
  if (!member || typeof value !== 'number' || family === 'EXIF' || family === 'XMP') return false;
  const sample = samples.get(document) ?? {};
  samples.set(document, { ...sample, [member]: value });
  return true;
}

function trackOf(samples: Map<string, PositionSample>): PositionTrack | null {
  const positions: PositionTrack['samples'] = [];
  for (const [document, { latitude, longitude, timeSeconds }] of samples) {
    if (latitude === undefined || longitude === undefined) continue;
    // Several positions of one sample are subdocuments: `Doc7-1`, `Doc7-2`.
    const seconds = timeSeconds ?? samples.get(document.split('-')[0] ?? '')?.timeSeconds;
    positions.push({
      latitude,
      longitude,
      timeMs: seconds === undefined ? null : Math.max(0, Math.round(seconds * 1000)),
    });
  }
  if (positions.length === 0) return null;
  const times = positions.flatMap(({ timeMs }) => timeMs ?? []);
  return {
    sampleCount: positions.length,
    samples: positions,
    startMs: times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : null,
    endMs: times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : null,
  };
}

/** The keys and values of the one file in ExifTool's JSON; `null` if it is invalid. */
export function readRows(json: string): [string, unknown][] | null {
  try {
    const files: unknown = JSON.parse(json);
    const [file] = Array.isArray(files) ? files : [];
    return typeof file === 'object' && file !== null ? Object.entries(file) : null;
  } catch {
    return null; // ExifTool was killed while writing
  }
}
