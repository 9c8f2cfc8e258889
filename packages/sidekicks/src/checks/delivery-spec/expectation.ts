import type { NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { toPlainText } from '#sidekick/words.ts';
import type { Facts, OptionalEvidence } from './facts.ts';
import type { RuleCode } from './rules.ts';

type SpecMember = keyof DeliverySpecLimits;

/** A property that could not be compared with the profile, in words: `resolution`, `bit rate of audio track 2`. */
export type NotMeasured = { label: string; reason: NotExaminedReason };

/** Both are null if the file is as expected, or the expectation does not apply to it. */
export type Judgement = { finding: Finding<RuleCode> | null; notMeasured: NotMeasured | null };

/** One member of the delivery specification and the rule that it switches on. */
export type Expectation = {
  ruleCode: RuleCode;
  member: SpecMember;
  /** The start of the summary: `Video codec`. */
  name: string;
  /** The stream that has the property; undefined for properties of the file. */
  stream?: 'video' | 'audio';
  /** Whether it also applies if the file has no such stream. */
  appliesWithoutStream?: true;
  /** Evidence that the expectation needs besides the probe. */
  needs: readonly OptionalEvidence[];
  /** Called only if the file has the stream, or the expectation also applies without it. */
  judge(facts: Facts): Judgement;
};

type CommonOptions = Pick<Expectation, 'ruleCode' | 'member' | 'name' | 'stream' | 'appliesWithoutStream'> & {
  isPlural?: true;
  /** What to do, as a sentence. */
  remedy: string;
  needs?: readonly OptionalEvidence[];
  /** Whether there is one value for each audio track. */
  isPerTrack?: true;
  /** Why a value can be unknown although the file could be read. By default, an unknown value is not declared. */
  unknownBecause?(facts: Facts): NotExaminedReason | null;
};

type ValueList = CommonOptions & {
  /** The values that the file declares; null for unknown. Empty if the expectation does not apply to the file. */
  read(facts: Facts): readonly (string | null)[];
  /** The accepted values as texts; by default, those in the specification. */
  accepted?(spec: DeliverySpecLimits): readonly string[];
  isAccepted?(value: string, accepted: readonly string[], facts: Facts): boolean;
};

type Bounds = { min?: number | null | undefined; max?: number | null | undefined };
type ValueRange = CommonOptions & {
  read(facts: Facts): readonly (number | null)[];
  bounds?(spec: DeliverySpecLimits, facts: Facts): Bounds;
  /** How far a value may be outside the range because of rounding. */
  tolerance?: number;
  unit: string;
  format(value: number, limit?: number): string;
};

const namedValuesMax = 6;
const namedTracksMax = 4;

/** Each value must be one of those in the profile. */
export function expectOneOf(options: ValueList): Expectation {
  const { member, read, isAccepted = equalsAny } = options;
  const acceptedOf = options.accepted ?? ((spec) => (spec[member] as readonly unknown[]).map(String));
  return expectationOf(options, read, (values, facts) => {
    const accepted = acceptedOf(facts.spec);
    const wrong = values.filter(([, value]) => value === null || !isAccepted(value, accepted, facts));
    if (wrong.length === 0) return null;
    const shown = [...new Set(wrong.map(([, value]) => (value === null ? 'not declared' : toPlainText(value, 60))))];
    return findingFor(
      options,
      wrong.map(([track]) => track),
      listOf(shown, 'and'),
      listOf(accepted, 'or'),
    );
  });
}

/** Each value must be within the range in the profile. */
export function expectWithin(options: ValueRange): Expectation {
  const { member, read, tolerance = 0, unit, format } = options;
  const boundsOf = options.bounds ?? ((spec) => spec[member] as Bounds);
  return expectationOf(options, read, (values, facts) => {
    const { min, max } = boundsOf(facts.spec, facts);
    const limitFor = (value: number) => {
      if (typeof min === 'number' && value < min - tolerance) return min;
      return typeof max === 'number' && value > max + tolerance ? max : null;
    };
    const wrong = values.filter(([, value]) => value === null || limitFor(value) !== null);
    const [first] = wrong;
    if (!first) return null;
    const limits = [min, max].filter((bound) => typeof bound === 'number');
    const show = (value: number | null) =>
      value === null ? 'not declared' : format(value, limitFor(value) ?? undefined);
    const found = listOf([...new Set(wrong.map(([, value]) => show(value)))], 'and');
    const finding = findingFor(
      options,
      wrong.map(([track]) => track),
      found,
      formatBounds({ min, max }, format),
    );
    const [, measured] = first;
    const limit = measured === null ? limits[0] : limitFor(measured);
    if (measured === null || typeof limit !== 'number') return finding;
    return { ...finding, measured, limit, unit };
  });
}

/** A property must be present or absent, as the profile requires. */
export function expectTrue(
  options: CommonOptions & {
    /** Returns null if it is unknown. */
    read(facts: Facts): boolean | null;
    found: string;
    expected: string;
  },
): Expectation {
  const { read, found, expected } = options;
  return expectationOf(
    { unknownBecause: () => 'damaged', ...options },
    (facts) => [read(facts)],
    (values) => (values.some(([, value]) => value === false) ? findingFor(options, [], found, expected) : null),
  );
}

/** Values by track, from 0. */
type Values<Value> = [track: number, value: Value | null][];

function expectationOf<Value>(
  options: CommonOptions,
  read: (facts: Facts) => readonly (Value | null)[],
  judge: (values: Values<Value>, facts: Facts) => Finding<RuleCode> | null,
): Expectation {
  const { ruleCode, member, name, stream, appliesWithoutStream, needs = [] } = options;
  return {
    ...{ ruleCode, member, name, needs },
    ...(stream && { stream }),
    ...(appliesWithoutStream && { appliesWithoutStream }),
    judge(facts) {
      const values = [...read(facts).entries()];
      const unknown = values.filter(([, value]) => value === null);
      const reason = unknown.length > 0 ? whyUnknown(options, facts) : null;
      if (reason === null) return { finding: judge(values, facts), notMeasured: null };
      const known = values.filter(([, value]) => value !== null);
      const label =
        toWithinSentence(name) +
        ofTracks(
          options,
          unknown.map(([track]) => track),
        );
      return { finding: judge(known, facts), notMeasured: { label, reason } };
    },
  };
}

/** Why a value is unknown; null if the file does not declare it. */
function whyUnknown({ needs = [], unknownBecause }: CommonOptions, facts: Facts): NotExaminedReason | null {
  // Evidence is null if a tool found nothing that it could read, although the file has such a stream.
  const isUnread = needs.some((name) => facts.evidence[name] === null);
  return isUnread ? 'damaged' : (unknownBecause?.(facts) ?? null);
}

/** The finding for values that are not as expected. Track numbers start at 0. */
export function findingFor(
  options: CommonOptions,
  tracks: readonly number[],
  found: string,
  expected: string,
): Finding<RuleCode> {
  const { ruleCode, member, name, isPlural, remedy } = options;
  return certainFinding(ruleCode, {
    subject: `expected ${member}`,
    summary: `${name}${ofTracks(options, tracks)} ${isPlural ? 'are' : 'is'} ${found}; the profile expects ${expected}. ${remedy}`,
    severityReasoning: `${name}: ${found}; expected: ${expected}`,
  });
}

/** ` of audio tracks 2 and 3`, or nothing if there is only one value. */
function ofTracks({ isPerTrack }: CommonOptions, tracks: readonly number[]): string {
  if (!isPerTrack) return '';
  const numbers = tracks.slice(0, namedTracksMax).map((track) => `${track + 1}`);
  const more = tracks.length > namedTracksMax ? [`${tracks.length - namedTracksMax} more`] : [];
  return ` of audio track${tracks.length > 1 ? 's' : ''} ${listOf([...numbers, ...more], 'and')}`;
}

/** `Video codec` → `video codec`; names such as `MaxCLL` stay as they are. */
export function toWithinSentence(name: string): string {
  return /^[A-Z][a-z]+(?: |$)/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

/** `a`, `a or b`, `a, b or c`; long lists are cut. */
export function listOf(values: readonly string[], word: 'and' | 'or'): string {
  const left = values.length - namedValuesMax;
  const shown = left > 1 ? [...values.slice(0, namedValuesMax), `${left} others`] : [...values];
  const last = shown.pop() ?? '';
  return shown.length > 0 ? `${shown.join(', ')} ${word} ${last}` : last;
}

function formatBounds({ min, max }: Bounds, format: (value: number) => string): string {
  if (typeof min !== 'number') return `at most ${format(max ?? 0)}`;
  if (typeof max !== 'number') return `at least ${format(min)}`;
  return min === max ? `exactly ${format(min)}` : `${format(min)} to ${format(max)}`;
}

function equalsAny(value: string, accepted: readonly string[]): boolean {
  return accepted.some((name) => name.toLowerCase() === value.toLowerCase());
}
