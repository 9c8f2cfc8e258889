import { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import type { Limits } from '@assay/contract/schemas/profiles/limits.ts';
import type { Profile } from '@assay/sidekicks/sidekick/profile.ts';

/** A limit as shown on the page of a profile. `pointer` is its JSON Pointer in the data file. */
export type LimitRow = { pointer: string; label: string; value: string };
type LabelAndValue = [label: string, value: string];
type Formats<Group extends keyof Limits> = {
  [Name in Exclude<keyof Limits[Group], 'scale'>]: (
    value: NonNullable<Limits[Group][Name]>,
    limits: Limits[Group],
  ) => LabelAndValue;
};

const formatSeconds = (value: number) => `${formatNumber(value)} s`;
const formatPercent = (share: number) => `${formatNumber(100 * share)} %`;

const loudness: Formats<'loudness'> = {
  standard: ({ name, clause }) => ['Standard', `${name}, ${clause}`],
  target: (target, { scale }) => ['Integrated loudness', `${formatNumber(target)} ${scale}`],
  rangeWithoutTarget: (range, { scale }) => [
    'No target: integrated loudness is reported outside',
    `${formatRange(range)} ${scale}`,
  ],
  toleranceAboveLu: (tolerance) => ['Tolerance above', `${formatNumber(tolerance)} LU`],
  toleranceBelowLu: (tolerance) => ['Tolerance below', `${formatNumber(tolerance)} LU`],
  meterToleranceLu: (tolerance) => ['Added to both, because meters differ', `${formatNumber(tolerance)} LU`],
  truePeakMaxDb: (peak) => ['Highest true peak', `${formatNumber(peak)} dBTP`],
  truePeakMeterToleranceDb: (tolerance) => [
    'Added to the true peak, because meters differ',
    `${formatNumber(tolerance)} dB`,
  ],
  shortForm: ({ secondsMax, shortTermMaxLufs }, { scale }) => [
    `Highest short-term loudness of content up to ${formatSeconds(secondsMax)}`,
    `${formatNumber(shortTermMaxLufs)} ${scale}`,
  ],
};

const photosensitivity: Formats<'photosensitivity'> = {
  areas: (areas) => ['Flashes are measured over', areas.map(describeArea).join(', ')],
  areaShareMax: (share) => ['Share of that area from which they count', formatPercent(share)],
};

const qcPictureSound: Formats<'qcPictureSound'> = {
  blackSecondsMax: (value) => ['Longest black section', formatSeconds(value)],
  freezeSecondsMax: (value) => ['Longest frozen section', formatSeconds(value)],
  levelMin: (level) => ['Lowest video level (of 0 to 255)', formatNumber(level)],
  levelMax: (level) => ['Highest video level (of 0 to 255)', formatNumber(level)],
  levelShareMax: (share) => ['Share of the frame that may be outside', formatPercent(share)],
  silenceSecondsMax: (value) => ['Longest silence', formatSeconds(value)],
  endsApartSecondsMax: (value) => ['Video and audio end apart by at most', formatSeconds(value)],
};

const captions: Formats<'captions'> = {
  wordsPerMinuteMinor: (speed) => ['Reading speed that is too fast', `over ${formatNumber(speed)} words per minute`],
  wordsPerMinuteMajor: (speed) => [
    'Reading speed that is far too fast',
    `over ${formatNumber(speed)} words per minute`,
  ],
  linesMax: (lines) => ['Most lines of a caption', formatNumber(lines)],
};

/** Formatters for the expectations whose values are not shown as they are in the data file. */
const expectationFormatters: Record<string, (value: never) => string> = {
  sampleRates: (hertz: number) => `${formatNumber(hertz / 1000)} kHz`,
  frameRates: formatFrameRate,
  resolutions: ({ width, height }: { width: number; height: number }) => `${width} × ${height}`,
};

/** The labels of delivery expectations are taken from the descriptions in their schema. */
const deliverySpec = Object.fromEntries(
  Object.entries(DeliverySpecLimits.shape).map(([name, schema]) => {
    const [label = name] = (schema.meta()?.description ?? name).split(/\.\s|\.$|, compared exactly|, such as/);
    return [name, (value: unknown): LabelAndValue => [label, formatExpected(value, expectationFormatters[name])]];
  }),
) as unknown as Formats<'deliverySpec'>;

const formats: { [Group in keyof Limits]: Formats<Group> } = {
  loudness,
  photosensitivity,
  qcPictureSound,
  captions,
  deliverySpec,
};

/** Returns a row for each limit that the profile sets in a group. */
export function limitRows(group: keyof Limits, { limits, rules }: Profile): LimitRow[] {
  const isOff = (code: string) => rules.some(({ ruleCode, severity }) => ruleCode === code && severity === 'OFF');
  const values = limits[group] as Record<string, unknown>;
  const unused = new Set([
    ...(isOff('LOUD-SHORT-TERM') ? ['shortForm'] : []),
    ...(isOff('LOUD-TRUE-PEAK') ? ['truePeakMaxDb', 'truePeakMeterToleranceDb'] : []),
    // Without a target, no tolerance applies.
    ...(limits.loudness.target === null ? ['toleranceAboveLu', 'toleranceBelowLu', 'meterToleranceLu'] : []),
  ]);
  return Object.entries(formats[group]).flatMap(([name, format]) => {
    const value = values[name] ?? null;
    if (value === null || unused.has(name)) return [];
    const [label, text] = (format as (value: unknown, limits: unknown) => LabelAndValue)(value, values);
    return { pointer: `/limits/${group}/${name}`, label, value: text };
  });
}

/** `−23`, `48,000` */
export function formatNumber(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 3 }).replace('-', '−');
}

function describeArea(area: string): string {
  return area === 'screen' ? 'the screen' : `any window of ${area.replace('x', ' × ')} pixels`;
}

/** `29.97 (30000/1001)` */
function formatFrameRate(rate: string): string {
  const [frames, perSeconds] = rate.split('/').map(Number);
  return perSeconds ? `${formatNumber(Number(frames) / perSeconds)} (${rate})` : rate;
}

/** Formats an expectation: a value, a list of accepted values, or an object such as a range `{min, max}`. */
function formatExpected(value: unknown, formatOne?: (value: never) => string): string {
  if (Array.isArray(value)) return value.map((one) => formatExpected(one, formatOne)).join(', ');
  if (formatOne) return formatOne(value as never);
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value);
  if ('seconds' in value && 'toleranceSeconds' in value) {
    return `${formatSeconds(Number(value.seconds))} ± ${formatSeconds(Number(value.toleranceSeconds))}`;
  }
  return formatRange(value);
}

export function formatRange({ min, max }: { min?: number | null; max?: number | null }): string {
  if (min === max && typeof min === 'number') return formatNumber(min);
  if (typeof max !== 'number') return typeof min === 'number' ? `at least ${formatNumber(min)}` : 'any';
  return typeof min === 'number' ? `${formatNumber(min)} to ${formatNumber(max)}` : `up to ${formatNumber(max)}`;
}
