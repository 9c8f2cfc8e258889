import type { DeliverySpecLimits } from '@assay/contract/schemas/profiles/delivery-spec.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { toPlainText } from '#sidekick/words.ts';
import type { Facts, OptionalEvidence } from './facts.ts';
import type { RuleCode } from './rules.ts';

type SpecMember = keyof DeliverySpecLimits;

/** One member of the delivery specification and the rule that it switches on. */
export type Expectation = {
  ruleCode: RuleCode;
  member: SpecMember;
  /** Evidence that the expectation needs besides the probe. */
  needs: readonly OptionalEvidence[];
  /** Returns null if the file is as expected, or the expectation does not apply to it. */
  judge(facts: Facts): Finding<RuleCode> | null;
};

type CommonOptions = {
  ruleCode: RuleCode;
  member: SpecMember;
  /** The start of the summary: `Video codec`. */
  name: string;
  isPlural?: true;
  /** What to do, as a sentence. */
  remedy: string;
  needs?: readonly OptionalEvidence[];
  /** Whether there is one value for each audio track. */
  isPerTrack?: true;
};

type ValueList = CommonOptions & {
  /** The values that the file declares; null for undeclared. Empty if the expectation does not apply to the file. */
  read(facts: Facts): readonly (string | null)[];
  /** The accepted values as texts; by default, those in the specification. */
  accepted?(spec: DeliverySpecLimits): readonly string[];
  isAccepted?(value: string, accepted: readonly string[], facts: Facts): boolean;
};

type Bounds = { min?: number | null | undefined; max?: number | null | undefined };
type ValueRange = CommonOptions & {
  read(facts: Facts): readonly (number | null)[];
  bounds?(spec: DeliverySpecLimits): Bounds;
  /** How far a value may be outside the range because of rounding. */
  tolerance?: number;
  unit: string;
  format(value: number, limit?: number): string;
};

const namedValuesMax = 6;
const namedTracksMax = 4;

/** Each value must be one of those in the profile. */
export function expectOneOf(options: ValueList): Expectation {
  const { ruleCode, member, needs = [], read, isAccepted = equalsAny } = options;
  const acceptedOf = options.accepted ?? ((spec) => (spec[member] as readonly unknown[]).map(String));
  return {
    ruleCode,
    member,
    needs,
    judge(facts) {
      const accepted = acceptedOf(facts.spec);
      const wrong = [...read(facts).entries()].filter(
        ([, value]) => value === null || !isAccepted(value, accepted, facts),
      );
      if (wrong.length === 0) return null;
      const values = [...new Set(wrong.map(([, value]) => (value === null ? 'not declared' : toPlainText(value, 60))))];
      const found = listOf(values, 'and');
      return findingFor(
        options,
        wrong.map(([track]) => track),
        found,
        listOf(accepted, 'or'),
      );
    },
  };
}

/** Each value must be within the range in the profile. */
export function expectWithin(options: ValueRange): Expectation {
  const { ruleCode, member, needs = [], read, tolerance = 0, unit, format } = options;
  const boundsOf = options.bounds ?? ((spec) => spec[member] as Bounds);
  return {
    ruleCode,
    member,
    needs,
    judge(facts) {
      const { min, max } = boundsOf(facts.spec);
      const limitFor = (value: number) => {
        if (typeof min === 'number' && value < min - tolerance) return min;
        return typeof max === 'number' && value > max + tolerance ? max : null;
      };
      const wrong = [...read(facts).entries()].filter(([, value]) => value === null || limitFor(value) !== null);
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
    },
  };
}

/** A property must be present or absent, as the profile requires. */
export function expectTrue(
  options: CommonOptions & {
    /** Returns null if the expectation does not apply to the file. */
    read(facts: Facts): boolean | null;
    found: string;
    expected: string;
  },
): Expectation {
  const { ruleCode, member, needs = [], read, found, expected } = options;
  return {
    ruleCode,
    member,
    needs,
    judge: (facts) => (read(facts) === false ? findingFor(options, [], found, expected) : null),
  };
}

/** The finding for values that are not as expected. Track numbers start at 0. */
export function findingFor(
  { ruleCode, member, name, isPlural, remedy, isPerTrack }: CommonOptions,
  tracks: readonly number[],
  found: string,
  expected: string,
): Finding<RuleCode> {
  const numbers = tracks.slice(0, namedTracksMax).map((track) => `${track + 1}`);
  const more = tracks.length > namedTracksMax ? [`${tracks.length - namedTracksMax} more`] : [];
  const of = isPerTrack ? ` of audio track${tracks.length > 1 ? 's' : ''} ${listOf([...numbers, ...more], 'and')}` : '';
  return certainFinding(ruleCode, {
    subject: `expected ${member}`,
    summary: `${name}${of} ${isPlural ? 'are' : 'is'} ${found}; the profile expects ${expected}. ${remedy}`,
    severityReasoning: `${name}: ${found}; expected: ${expected}`,
  });
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
