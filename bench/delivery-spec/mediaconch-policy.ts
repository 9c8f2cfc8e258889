import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';

type SpecMember = keyof DeliverySpecLimits;
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
const choiceRules =
  (track: Track, field: string, names?: Readonly<Record<string, string>>) =>
  (values: readonly unknown[]): Alternatives =>
    values.map(String).flatMap((value) => {
      const name = names ? names[value] : value;
      return name === undefined ? [] : [[rule(track, field, name)]];
    });
const rangeRules =
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
const ratioRules = (field: string) => (values: readonly string[]) =>
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
const rulesByName = (rules: Readonly<Record<string, PolicyRule[]>>) => (values: readonly string[]) =>
  values.flatMap((value) => (rules[value] ? [rules[value]] : []));

/** Functions that translate the properties MediaConch can check into its rules. */
const policyTranslations: { [Name in SpecMember]?: (value: NonNullable<DeliverySpecLimits[Name]>) => Alternatives } = {
  containers: rulesByName(containers),
  mxfOperationalPatterns: choiceRules('General', 'Format_Profile', { OP1a: 'OP-1a', OPAtom: 'OP-Atom' }),
  bitsPerSecond: rangeRules('General', 'OverallBitRate'),
  durationSeconds: rangeRules('General', 'Duration'),
  startTimecodes: choiceRules('Other', 'TimeCode_FirstFrame'),
  videoTracks: rangeRules('General', 'VideoCount'),
  videoCodecs: choiceRules('Video', 'Format', videoCodecs),
  videoProfiles: choiceRules('Video', 'Format_Profile', videoProfiles),
  videoLevelMax: (level) => [[rule('Video', 'Format_Level', `${level}`, '<=')]],
  resolutions: (sizes) =>
    sizes.map(({ width, height }) => [rule('Video', 'Width', `${width}`), rule('Video', 'Height', `${height}`)]),
  frameRates: ratioRules('FrameRate'),
  scans: rulesByName(scans),
  displayAspectRatios: ratioRules('DisplayAspectRatio'),
  pixelAspectRatios: ratioRules('PixelAspectRatio'),
  rotations: (degrees) => degrees.map((angle) => [rule('Video', 'Rotation', angle.toFixed(3))]),
  colourPrimaries: choiceRules('Video', 'colour_primaries', { bt709: 'BT.709', bt2020: 'BT.2020' }),
  colourTransfers: choiceRules('Video', 'transfer_characteristics', { bt709: 'BT.709', smpte2084: 'PQ' }),
  colourMatrices: choiceRules('Video', 'matrix_coefficients', { bt709: 'BT.709', bt2020nc: 'BT.2020 non-constant' }),
  colourRanges: choiceRules('Video', 'colour_range', { limited: 'Limited', full: 'Full' }),
  videoBitDepths: choiceRules('Video', 'BitDepth'),
  chromaSubsamplings: choiceRules('Video', 'ChromaSubsampling'),
  videoBitsPerSecond: rangeRules('Video', 'BitRate'),
  videoBitRateModes: choiceRules('Video', 'BitRate_Mode', { constant: 'CBR', variable: 'VBR' }),
  requireMasteringDisplay: () => [[rule('Video', 'MasteringDisplay_Luminance', '', 'exists')]],
  masteringPrimaries: choiceRules('Video', 'MasteringDisplay_ColorPrimaries', { 'display-p3': 'Display P3' }),
  requireContentLight: () => [[rule('Video', 'MaxCLL', '', 'exists')]],
  audioTracks: rangeRules('General', 'AudioCount'),
  audioCodecs: rulesByName(audioCodecs),
  audioProfiles: choiceRules('Audio', 'Format_AdditionalFeatures'),
  channels: rangeRules('Audio', 'Channels'),
  sampleRates: choiceRules('Audio', 'SamplingRate'),
  audioBitDepths: choiceRules('Audio', 'BitDepth'),
  audioBitsPerSecond: rangeRules('Audio', 'BitRate'),
  audioLanguages: choiceRules('Audio', 'Language', { eng: 'en', en: 'en', fra: 'fr', fr: 'fr' }),
};

/**
 * Formats a MediaConch policy with one rule group, named after the member, for each expectation that MediaConch can
 * check.
 */
export function formatPolicy(spec: Partial<DeliverySpecLimits>): string {
  const groups = Object.entries(spec).flatMap(([member, value]) => {
    const translate = policyTranslations[member as SpecMember] as ((value: unknown) => Alternatives) | undefined;
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

/** Reads from the XML report whether the file passes each member of the specification. */
export function readOutcomes(xml: string): Map<SpecMember, boolean> {
  const outcomes = new Map<SpecMember, boolean>();
  for (const [tag] of xml.matchAll(/<policy [^>]*>/g)) {
    const member = /name="spec-(\w+)"/.exec(tag)?.[1];
    if (member) outcomes.set(member as SpecMember, /outcome="pass"/.test(tag));
  }
  return outcomes;
}
