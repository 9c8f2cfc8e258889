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
  /** The first positions. `timeMs` is null if the file declares no time. */
  samples: { latitude: number; longitude: number; timeMs: number | null }[];
  startMs: number | null;
  endMs: number | null;
};

export type MetadataReport = {
  /** The program that read the metadata: `ExifTool 12.57`. */
  reader: string;
  tags: MetadataTag[];
  track: PositionTrack | null;
  /** The reader's error messages about what it could not read. */
  complaints: string[];
  /** Whether all tags were read and kept. */
  isWhole: boolean;
};

const tagsMax = 5000;
/** Limits the copies of a tag that every frame, sample or embedded image repeats. */
const copiesMax = 20;
const listValuesMax = 200;
const valueCharactersMax = 4096;
const nameCharactersMax = 100;
const samplesMax = 1000;
const complaintsMax = 10;

// Tags about ExifTool itself, or derived from other tags.
const isDerivedFamily = (family: string) => family === 'ExifTool' || family === 'Composite';
const unreadableWarning = /password|(?:unsupported|not supported).*encrypt|encrypt.*(?:unsupported|not supported)/i;

type PositionSample = { latitude?: number; longitude?: number; timeSeconds?: number };

/** Reads ExifTool's JSON with `-G:0:1:3:4` (keys like `EXIF:GPS:Main::GPSLatitude`); `null` if it is invalid. */
export function readMetadataReport(json: string): MetadataReport | null {
  const rows = readRows(json);
  if (!rows) return null;
  const report: MetadataReport = { reader: 'ExifTool', tags: [], track: null, complaints: [], isWhole: true };
  const samples = new Map<string, PositionSample>();
  const copies = new Map<string, number>();
  for (const [key, value] of rows) {
    const [family = '', group = '', document = '', , ...rest] = key.split(':');
    const name = rest.join(':').slice(0, nameCharactersMax);
    if (family === 'ExifTool') readExifToolTag(report, name, value);
    if (name === '' || (isDerivedFamily(family) && !isBinary(value))) continue;
    const isEmbedded = document !== 'Main';
    if (isEmbedded && addToSample(samples, family, document, name, value)) continue;
    const copy = (copies.get(`${group}:${name}`) ?? 0) + 1;
    copies.set(`${group}:${name}`, copy);
    if (copy > copiesMax) continue;
    for (const one of [value].flat().slice(0, listValuesMax)) {
      if (report.tags.length < tagsMax) {
        report.tags.push({ family, group, isEmbedded, name, value: String(one).slice(0, valueCharactersMax) });
      } else report.isWhole = false;
    }
  }
  report.track = trackOf(samples);
  return report;
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
    report.complaints.push(String(value).slice(0, valueCharactersMax));
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
    samples: positions.slice(0, samplesMax),
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
