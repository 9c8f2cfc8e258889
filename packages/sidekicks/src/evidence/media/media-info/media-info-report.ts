import { type JsonObject, parseJsonObject, toNumberFromZero, toObject, toObjects, toText } from '../json-report.ts';
import type { DeclaredHdr, MasteringPrimaries } from '../probe/declared-hdr.ts';

/** What MediaInfo reports and ffprobe does not. Colour properties have ffmpeg's names. */
export type MediaInfo = {
  /** The program that read the file: `MediaInfo 23.04`. */
  reader: string;
  /** `null` if the file has no video. */
  video: {
    scan: 'progressive' | 'interlaced-top-first' | 'interlaced-bottom-first' | null;
    colourPrimaries: string | null;
    colourTransfer: string | null;
    colourMatrix: string | null;
    colourRange: 'limited' | 'full' | null;
    bitRateMode: 'constant' | 'variable' | null;
    hdr: DeclaredHdr;
  } | null;
  audio: { bitDepth: number | null; bitsPerSecond: number | null }[];
  startTimecode: string | null;
};

const tracksMax = 200;

const primaries: Readonly<Record<string, string>> = {
  'BT.709': 'bt709',
  'BT.470 System M': 'bt470m',
  'BT.601 PAL': 'bt470bg',
  'BT.601 NTSC': 'smpte170m',
  'SMPTE 240M': 'smpte240m',
  'Generic film': 'film',
  'BT.2020': 'bt2020',
  XYZ: 'smpte428',
  'DCI P3': 'smpte431',
  'Display P3': 'smpte432',
  'EBU Tech 3213': 'ebu3213',
};
const transfers: Readonly<Record<string, string>> = {
  'BT.709': 'bt709',
  'BT.470 System M': 'bt470m',
  'BT.470 System B/G': 'bt470bg',
  'BT.601': 'smpte170m',
  'SMPTE 240M': 'smpte240m',
  Linear: 'linear',
  'Logarithmic (100:1)': 'log100',
  'Logarithmic (316.22777:1)': 'log316',
  xvYCC: 'iec61966-2-4',
  'BT.1361': 'bt1361e',
  'sRGB/sYCC': 'iec61966-2-1',
  'BT.2020 (10-bit)': 'bt2020-10',
  'BT.2020 (12-bit)': 'bt2020-12',
  PQ: 'smpte2084',
  'SMPTE 428M': 'smpte428',
  HLG: 'arib-std-b67',
};
const matrices: Readonly<Record<string, string>> = {
  Identity: 'gbr',
  'BT.709': 'bt709',
  'FCC 73.682': 'fcc',
  'BT.470 System B/G': 'bt470bg',
  'BT.601': 'smpte170m',
  'SMPTE 240M': 'smpte240m',
  YCgCo: 'ycgco',
  'BT.2020 non-constant': 'bt2020nc',
  'BT.2020 constant': 'bt2020c',
  "Y'D'zD'x": 'smpte2085',
  ICtCp: 'ictcp',
};
const masteringPrimaries: Readonly<Record<string, MasteringPrimaries>> = {
  'BT.709': 'bt709',
  'BT.2020': 'bt2020',
  'Display P3': 'display-p3',
};
const colourRanges: Readonly<Record<string, 'limited' | 'full'>> = { Limited: 'limited', Full: 'full' };
const bitRateModes: Readonly<Record<string, 'constant' | 'variable'>> = { CBR: 'constant', VBR: 'variable' };

/** Reads MediaInfo's JSON; `null` if it is invalid or describes no media. */
export function readMediaInfoReport(json: string): MediaInfo | null {
  const report = parseJsonObject(json);
  const tracks = toObjects(toObject(report?.media)?.track).slice(0, tracksMax);
  if (!report || tracks.length === 0) return null;
  const ofType = (type: string) => tracks.filter((track) => track['@type'] === type);
  const version = toText(toObject(report.creatingLibrary)?.version) ?? '';
  const video = ofType('Video')[0];
  // The timecode of the video track is not used: every MPEG-2 encoder writes one, mostly zero.
  const timecodes = ofType('Other').map((track) => toText(track.TimeCode_FirstFrame));
  return {
    reader: `MediaInfo ${version}`.trim(),
    video: video ? videoOf(video) : null,
    audio: ofType('Audio').map((track) => ({
      bitDepth: toNumberFromZero(track.BitDepth),
      bitsPerSecond: toNumberFromZero(track.BitRate),
    })),
    startTimecode: timecodes.find((timecode) => timecode !== null) ?? null,
  };
}

function videoOf(track: JsonObject): NonNullable<MediaInfo['video']> {
  return {
    scan: scanOf(toText(track.ScanType), toText(track.ScanOrder)),
    colourPrimaries: lookUpName(primaries, track.colour_primaries),
    colourTransfer: lookUpName(transfers, track.transfer_characteristics),
    colourMatrix: lookUpName(matrices, track.matrix_coefficients),
    colourRange: lookUpName(colourRanges, track.colour_range),
    bitRateMode: lookUpName(bitRateModes, track.BitRate_Mode),
    hdr: hdrOf(track),
  };
}

function scanOf(type: string | null, order: string | null): NonNullable<MediaInfo['video']>['scan'] {
  if (type === 'Progressive') return 'progressive';
  if (type === null) return null;
  return order === 'TFF' ? 'interlaced-top-first' : order === 'BFF' ? 'interlaced-bottom-first' : null;
}

function hdrOf(track: JsonObject): DeclaredHdr {
  const luminance = toText(track.MasteringDisplay_Luminance) ?? '';
  const bound = (name: string) => toNumberFromZero(new RegExp(`${name}: ([\\d.]+) cd/m2`).exec(luminance)?.[1]);
  const [maxCll, maxFall] = [toNumberFromZero(track.MaxCLL), toNumberFromZero(track.MaxFALL)];
  const hasMastering = luminance !== '' || toText(track.MasteringDisplay_ColorPrimaries) !== null;
  return {
    mastering: hasMastering
      ? {
          primaries: lookUpName(masteringPrimaries, track.MasteringDisplay_ColorPrimaries),
          luminanceMax: bound('max'),
          luminanceMin: bound('min'),
        }
      : null,
    light: maxCll === null && maxFall === null ? null : { maxCll, maxFall },
  };
}

function lookUpName<Name extends string>(names: Readonly<Record<string, Name>>, value: unknown): Name | null {
  const name = toText(value) ?? '';
  return Object.hasOwn(names, name) ? (names[name] ?? null) : null;
}
