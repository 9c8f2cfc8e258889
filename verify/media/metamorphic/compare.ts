import type { Examined } from './examine-clip.ts';
import { boxTolerance, coarseTimes, floorOf, seriesTolerances, timeToleranceMs, toleranceOf } from './tolerances.ts';
import type { Way } from './ways.ts';

type Finding = Examined['findings'][number];
type Location = Finding['locations'][number];
type Series = Examined['measured']['series'][number];

export type Comparison = {
  differences: string[];
  /** What a check did not examine in one of the files, and why. */
  incomplete: string[];
};

/** Compares what the checks say about two files with the same content. `frameMs` is how far times may differ. */
export function compareExamined(plain: Examined, stored: Examined, way: Way, frameMs: number): Comparison {
  const incomplete = [...describeIncomplete('plain', plain), ...describeIncomplete(way.name, stored)];
  const differences = [
    ...(incomplete.length === 0 ? different('verdict', plain.verdict, stored.verdict) : []),
    ...plain.checks.flatMap(({ shortName, outcome }, i) => {
      const other = stored.checks[i]?.outcome;
      return [outcome, other].includes('incomplete') ? [] : different(`outcome of ${shortName}`, outcome, other);
    }),
    ...compareFindings(plain, stored, way, frameMs),
    ...compareExtents(plain, stored, frameMs),
    ...compareSeries(plain, stored, way, frameMs),
  ];
  return { differences, incomplete };
}

function describeIncomplete(name: string, { checks }: Examined): string[] {
  return checks.flatMap(({ shortName, coverage }) =>
    coverage.notExamined.map(({ label, reason }) => `${shortName} of ${name}: ${label} (${reason})`),
  );
}

const different = (what: string, one: unknown, other: unknown) =>
  one === other ? [] : [`${what}: ${one}, then ${other}`];

/** Every finding must have an equal one in the other file, in the same order among those of its rule. */
function compareFindings(plain: Examined, stored: Examined, way: Way, frameMs: number): string[] {
  const notVerified = plain.checks.map(({ notVerified }) => notVerified);
  const ofWay = [...notVerified, ...(way.mayAdd ?? [])];
  const [ones, others] = [plain, stored].map(({ findings }) =>
    Map.groupBy(
      findings.filter(({ ruleCode }) => !ofWay.includes(ruleCode)),
      ({ ruleCode }) => ruleCode,
    ),
  ) as [Map<string, Finding[]>, Map<string, Finding[]>];
  return [...new Set([...ones.keys(), ...others.keys()])].flatMap((rule) => {
    const [one = [], other = []] = [ones.get(rule), others.get(rule)];
    const copies = way.repeatsIssues && other.length > one.length ? 2 : 1;
    if (one.length * copies !== other.length) return [`${rule}: ${one.length} issues, then ${other.length}`];
    const sources = copies === 1 ? one : [...one, ...one];
    return sources.flatMap((finding, i) => compareFinding(finding, other[i] as Finding, frameMs));
  });
}

function compareFinding(one: Finding, other: Finding, frameMs: number): string[] {
  const { ruleCode, unit = '', measured, limit } = one;
  const value = ({ measured = Number.NaN }: Finding) => Math.max(measured, floorOf(unit));
  const apart = measured === undefined ? 0 : Math.abs(value(one) - value(other));
  const allowed = measured === undefined ? 0 : toleranceOf(ruleCode, unit) + (unit === 's' ? frameMs / 1000 : 0);
  return [
    ...different(`severity of ${ruleCode}`, one.severity, other.severity),
    ...different(`review of ${ruleCode}`, one.isCertain, other.isCertain),
    ...different(`limit of ${ruleCode}`, limit, other.limit),
    ...(apart <= allowed + 1e-9 ? [] : [`${ruleCode}: ${measured} ${unit}, then ${other.measured} ${other.unit}`]),
    ...compareLocations(one, other, coarseTimes[ruleCode] ?? frameMs + timeToleranceMs),
  ];
}

function compareLocations({ ruleCode, locations }: Finding, { locations: others }: Finding, allowedMs: number) {
  if (locations.length !== others.length) return [`${ruleCode}: ${locations.length} places, then ${others.length}`];
  const isNear = (one: Location, other: Location) =>
    Math.abs((one.startMs ?? 0) - (other.startMs ?? 0)) <= allowedMs &&
    Math.abs((one.endMs ?? 0) - (other.endMs ?? 0)) <= allowedMs &&
    isNearBox(one.box, other.box);
  return locations
    .map((location, i) => [location, others[i] as Location] as const)
    .filter(([one, other]) => !isNear(one, other))
    .map(([one, other]) => `${ruleCode}: ${JSON.stringify(one)}, then ${JSON.stringify(other)}`);
}

function isNearBox(one: Location['box'], other: Location['box']): boolean {
  if (!one || !other) return one === other;
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) <= boxTolerance);
}

/** How much each check examined: the longest audio stream in seconds, the captions, and whether there is a video. */
function compareExtents(plain: Examined, stored: Examined, frameMs: number): string[] {
  return plain.checks.flatMap(({ shortName, coverage }, i) => {
    const other = stored.checks[i]?.coverage.examined ?? [];
    return [...new Set([...coverage.examined, ...other].map(({ kind }) => kind))].flatMap((kind) => {
      const [before, after] = [coverage.examined, other].map((all) => all.filter((part) => part.kind === kind));
      if (!before?.length || !after?.length) return [`${shortName} examined ${kind} of one file only`];
      const longest = (all: typeof before) => Math.max(...all.map(({ quantity }) => quantity ?? 0));
      const isComparable = kind === 'audio_stream' || kind === 'caption_track';
      const apart = Math.abs(longest(before) - longest(after));
      return !isComparable || apart <= (frameMs + timeToleranceMs) / 1000
        ? []
        : [`${shortName} examined ${longest(before)} of ${kind}, then ${longest(after)}`];
    });
  });
}

function compareSeries(plain: Examined, stored: Examined, { isLossy, movesTimes }: Way, frameMs: number): string[] {
  return plain.measured.series.flatMap((series) => {
    const { value, lossy } = seriesTolerances[series.name];
    const allowed = isLossy ? lossy : value;
    const other = stored.measured.series.find(({ name }) => name === series.name);
    if (!other) return [`no ${series.name}`];
    // A step has few frames: where others fall into it, its mean is another. That of the clip is the same.
    if (movesTimes && series.name === 'luminance') return compareMeans(series, other, allowed);
    return compareValues(series, other, allowed, (movesTimes ? 2 : 1) + Math.floor(frameMs / series.stepMs));
  });
}

function compareMeans(one: Series, other: Series, allowed: number): string[] {
  const meanOf = ({ values }: Series) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;
  const [before, after] = [meanOf(one), meanOf(other)];
  return Math.abs(before - after) <= allowed ? [] : [`mean ${one.name}: ${before}, then ${after}`];
}

/** Steps are compared with those beside them, because a frame at the edge of a step may be in either. */
function compareValues(one: Series, other: Series, allowed: number, reach: number): string[] {
  const { floor = Number.NEGATIVE_INFINITY } = seriesTolerances[one.name];
  const around = (i: number) =>
    other.values.slice(Math.max(0, i - reach), i + reach + 1).map((value) => Math.max(floor, value ?? floor));
  const isWithin = (value: number, values: number[]) =>
    value >= Math.min(...values) - allowed - 1e-6 && value <= Math.max(...values) + allowed + 1e-6;
  const length = Math.min(one.values.length, other.values.length);
  if (Math.abs(one.values.length - other.values.length) > reach)
    return [`${one.name}: ${one.values.length} steps, then ${other.values.length}`];
  const wrong = one.values
    .slice(0, length)
    .findIndex((value, i) => !isWithin(Math.max(floor, value ?? floor), around(i)));
  if (wrong < 0) return [];
  return [`${one.name} after ${wrong} steps of ${one.stepMs} ms: ${one.values[wrong]}, then ${around(wrong)}`];
}
