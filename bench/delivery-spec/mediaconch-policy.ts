import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';

type Member = keyof DeliverySpecLimits;
type Track = 'General' | 'Video' | 'Audio' | 'Other';
type Operator = '=' | '<=' | '>=' | 'exists';
type PolicyRule = { track: Track; field: string; operator: Operator; value: string };
/** Alternative lists of rules: all rules of at least one list must pass. */
type Alternatives = PolicyRule[][];

const rule = (track: Track, field: string, value: string, operator: Operator = '='): PolicyRule => ({
  track,
  field,
  operator,
  value,
});
const oneOf =
  (track: Track, field: string, names?: Readonly<Record<string, string>>) =>
  (values: readonly unknown[]): Alternatives =>
    values.map(String).flatMap((value) => {
      const name = names ? names[value] : value;
      return name === undefined ? [] : [[rule(track, field, name)]];
    });
const within =
  (track: Track, field: string) =>
  ({ min, max }: { min?: number | null | undefined; max?: number | null | undefined }): Alternatives => [
    [
      ...(typeof min === 'number' ? [rule(track, field, `${min}`, '>=')] : []),
      ...(typeof max === 'number' ? [rule(track, field, `${max}`, '<=')] : []),
    ],
  ];
const numberOf = (ratio: string) => {
  const [over = 0, under = 1] = ratio.split(/[:/]/).map(Number);
  return (over / under).toFixed(3);
};
const ratios = (field: string) => (values: readonly string[]) =>
  values.map((value) => [rule('Video', field, numberOf(value))]);

const containers: Record<string, PolicyRule[]> = {
  mp4: [rule('General', 'Format', 'MPEG-4'), rule('General', 'Format_Profile', 'Base Media')],
  mov: [rule('General', 'Format_Profile', 'QuickTime')],
  mkv: [rule('General', 'Format', 'Matroska')],
  webm: [rule('General', 'Format', 'WebM')],
  mxf: [rule('General', 'Format', 'MXF')],
  'mpeg-ts': [rule('General', 'Format', 'MPEG-TS')],
  wav: [rule('General', 'Format', 'Wave')],
  flac: [rule('General', 'Format', 'FLAC')],
  mp3: [rule('General', 'Format', 'MPEG Audio')],
};
const pcm = (bits: number) => [
  rule('Audio', 'Format', 'PCM'),
  rule('Audio', 'Format_Settings_Endianness', 'Little'),
  rule('Audio', 'BitDepth', `${bits}`),
];
const audioCodecs: Record<string, PolicyRule[]> = {
  aac: [rule('Audio', 'Format', 'AAC')],
  flac: [rule('Audio', 'Format', 'FLAC')],
  opus: [rule('Audio', 'Format', 'Opus')],
  mp2: [rule('Audio', 'Format', 'MPEG Audio')],
  mp3: [rule('Audio', 'Format', 'MPEG Audio')],
  pcm_s16le: pcm(16),
  pcm_s24le: pcm(24),
  pcm_s32le: pcm(32),
};
const videoCodecs = {
  ...{ h264: 'AVC', hevc: 'HEVC', mpeg2video: 'MPEG Video', prores: 'ProRes', dnxhd: 'VC-3', vp9: 'VP9', av1: 'AV1' },
  ffv1: 'FFV1',
};
const videoProfiles = {
  ...{ High: 'High', 'High 10': 'High 10', 'High 4:2:2': 'High 4:2:2', '4:2:2': '4:2:2', 'Main 10': 'Main 10' },
  ...{ 'High 4:4:4 Predictive': 'High 4:4:4 Predictive', HQ: '422 HQ', '4444': '4444', Rext: 'Format Range' },
};
const scans: Record<string, PolicyRule[]> = {
  progressive: [rule('Video', 'ScanType', 'Progressive')],
  'interlaced-top-first': [rule('Video', 'ScanOrder', 'TFF')],
  'interlaced-bottom-first': [rule('Video', 'ScanOrder', 'BFF')],
};
const named = (rules: Readonly<Record<string, PolicyRule[]>>) => (values: readonly string[]) =>
  values.flatMap((value) => (rules[value] ? [rules[value]] : []));

/** Property that MediaConch can check too → its rules. */
const translations: { [Name in Member]?: (value: NonNullable<DeliverySpecLimits[Name]>) => Alternatives } = {
  containers: named(containers),
  mxfOperationalPatterns: oneOf('General', 'Format_Profile', { OP1a: 'OP-1a', OPAtom: 'OP-Atom' }),
  bitsPerSecond: within('General', 'OverallBitRate'),
  durationSeconds: within('General', 'Duration'),
  startTimecodes: oneOf('Other', 'TimeCode_FirstFrame'),
  videoTracks: within('General', 'VideoCount'),
  videoCodecs: oneOf('Video', 'Format', videoCodecs),
  videoProfiles: oneOf('Video', 'Format_Profile', videoProfiles),
  videoLevelMax: (level) => [[rule('Video', 'Format_Level', `${level}`, '<=')]],
  resolutions: (sizes) =>
    sizes.map(({ width, height }) => [rule('Video', 'Width', `${width}`), rule('Video', 'Height', `${height}`)]),
  frameRates: ratios('FrameRate'),
  scans: named(scans),
  displayAspectRatios: ratios('DisplayAspectRatio'),
  pixelAspectRatios: ratios('PixelAspectRatio'),
  rotations: (degrees) => degrees.map((angle) => [rule('Video', 'Rotation', angle.toFixed(3))]),
  colourPrimaries: oneOf('Video', 'colour_primaries', { bt709: 'BT.709', bt2020: 'BT.2020' }),
  colourTransfers: oneOf('Video', 'transfer_characteristics', { bt709: 'BT.709', smpte2084: 'PQ' }),
  colourMatrices: oneOf('Video', 'matrix_coefficients', { bt709: 'BT.709', bt2020nc: 'BT.2020 non-constant' }),
  colourRanges: oneOf('Video', 'colour_range', { limited: 'Limited', full: 'Full' }),
  videoBitDepths: oneOf('Video', 'BitDepth'),
  chromaSubsamplings: oneOf('Video', 'ChromaSubsampling'),
  videoBitsPerSecond: within('Video', 'BitRate'),
  videoBitRateModes: oneOf('Video', 'BitRate_Mode', { constant: 'CBR', variable: 'VBR' }),
  requireMasteringDisplay: () => [[rule('Video', 'MasteringDisplay_Luminance', '', 'exists')]],
  masteringPrimaries: oneOf('Video', 'MasteringDisplay_ColorPrimaries', { 'display-p3': 'Display P3' }),
  requireContentLight: () => [[rule('Video', 'MaxCLL', '', 'exists')]],
  audioTracks: within('General', 'AudioCount'),
  audioCodecs: named(audioCodecs),
  audioProfiles: oneOf('Audio', 'Format_AdditionalFeatures'),
  channels: within('Audio', 'Channels'),
  sampleRates: oneOf('Audio', 'SamplingRate'),
  audioBitDepths: oneOf('Audio', 'BitDepth'),
  audioBitsPerSecond: within('Audio', 'BitRate'),
  audioLanguages: oneOf('Audio', 'Language', { eng: 'en', en: 'en', fra: 'fr', fr: 'fr' }),
};

/** A MediaConch policy with one rule group for each expectation that it can check, named after the member. */
export function formatPolicy(spec: Partial<DeliverySpecLimits>): string {
  const groups = Object.entries(spec).flatMap(([member, value]) => {
    const translate = translations[member as Member] as ((value: unknown) => Alternatives) | undefined;
    const alternatives = value === null || value === false ? [] : (translate?.(value) ?? []);
    return alternatives.length > 0 ? [formatGroup(member, alternatives)] : [];
  });
  return `<?xml version="1.0"?>\n<policy type="and" name="delivery">\n${groups.join('\n')}\n</policy>\n`;
}

function formatGroup(member: string, alternatives: Alternatives): string {
  const parts = alternatives.map((rules) => `<policy type="and" name="all">${rules.map(formatRule).join('')}</policy>`);
  return `<policy type="or" name="spec-${member}">${parts.join('')}</policy>`;
}

function formatRule({ track, field, operator, value }: PolicyRule): string {
  const escaped = operator.replace('<', '&lt;').replace('>', '&gt;');
  return `<rule name="${field}" value="${field}" tracktype="${track}" occurrence="*" operator="${escaped}">${value}</rule>`;
}

/** Member → whether the file passes, from the XML report. */
export function readOutcomes(xml: string): Map<Member, boolean> {
  const outcomes = new Map<Member, boolean>();
  for (const [tag] of xml.matchAll(/<policy [^>]*>/g)) {
    const member = /name="spec-(\w+)"/.exec(tag)?.[1];
    if (member) outcomes.set(member as Member, /outcome="pass"/.test(tag));
  }
  return outcomes;
}
