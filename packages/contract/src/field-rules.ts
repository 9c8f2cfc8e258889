import { z } from 'zod';

type Json = z.core.JSONSchema.BaseSchema;

/** The validation rules of a schema's fields. */
export type FieldRules = {
  /**
   * An error map for Zod: the rule that a field breaks, as a predicate that follows the field's name, such as "must be
   * an integer from 0 to 30." Zod checks that have a message of their own keep it; these are predicates too.
   */
  ruleOf(issue: z.core.$ZodRawIssue): string;
  /** The names that the object at this path accepts. */
  namesAt(path: readonly PropertyKey[]): string[];
};

/**
 * Derives the messages from the schema, so that callers never see the validator's and fields need no texts of their
 * own.
 */
export function createFieldRules(root: z.ZodType): FieldRules {
  let known: Json | undefined; // created when first needed: most requests are valid
  const fieldAt = (path: readonly PropertyKey[]) => {
    known ??= z.toJSONSchema(root, { io: 'input', unrepresentable: 'any' });
    return findField(known, path);
  };
  return {
    ruleOf: ({ path = [], code, input }) => {
      if (input === undefined) return 'is required.';
      const field = fieldAt(path);
      const isSize = code === 'too_small' || code === 'too_big';
      return isSize && field?.type === 'array' ? `must have ${formatItemRange(field)}.` : describeRule(field);
    },
    namesAt: (path) => Object.keys(fieldAt(path)?.properties ?? {}),
  };
}

function findField(root: Json, path: readonly PropertyKey[]): Json | undefined {
  let field: Json | undefined = resolve(root, root);
  for (const part of path) {
    const next: unknown = typeof part === 'number' ? field?.items : field?.properties?.[String(part)];
    field = typeof next === 'object' ? resolve(next as Json, root) : undefined;
  }
  return field;
}

/** Follows references, and returns the non-null choice of a nullable field. */
function resolve(field: Json, root: Json): Json {
  if (field.$ref) return resolve(root.$defs?.[field.$ref.replace('#/$defs/', '')] as Json, root);
  const [first, second] = (field.anyOf ?? []).filter(({ type }) => type !== 'null');
  return first && !second ? resolve(first, root) : field;
}

/** The rule for an enum, or for the field's format or type. */
const ruleByKind: Record<string, (field: Json) => string> = {
  enum: (field) => `must be one of: ${field.enum?.join(', ')}.`,
  boolean: () => 'must be true or false.',
  integer: (field) => `must be an integer${formatRange(field)}.`,
  number: (field) => `must be a number${formatRange(field)}.`,
  uuid: () => 'must be a UUID.',
  'date-time': () => 'must be a date and time in RFC 3339 format, such as 2026-01-05T09:30:00Z.',
  uri: ({ maxLength }) => `must be an https URL${formatLength(undefined, maxLength)}.`,
  string: (field) =>
    field.minLength === 1 && field.maxLength === undefined
      ? 'must be a non-empty string.'
      : `must be a string${formatLength(field.minLength, field.maxLength)}.`,
  array: (field) => `must be an array${hasItemLimits(field) ? ` of ${formatItemRange(field)}` : ''}.`,
  object: () => 'must be an object.',
};

/** For fields that JSON Schema cannot describe; the contract has none. */
const unknownRule = 'is not valid.';

function describeRule(field: Json | undefined): string {
  if (!field) return unknownRule;
  const kinds = [
    field.enum ? 'enum' : '',
    field.format ?? '',
    [field.type].flat().find((type) => type !== 'null') ?? '',
  ];
  const rule = ruleByKind[kinds.find((kind) => Object.hasOwn(ruleByKind, kind)) ?? ''];
  return rule?.(field) ?? unknownRule;
}

// Created only once, because creating a formatter takes as long as a request.
const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
const formatNumber = (value: number) => numberFormat.format(value);
/** Undefined for the bounds of safe integers, which Zod adds to integers without bounds of their own. */
const formatBound = (value: number | undefined) =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : formatNumber(value);

function formatRange({ minimum, maximum, exclusiveMinimum }: Json): string {
  const [min, max, above] = [
    formatBound(minimum),
    formatBound(maximum),
    formatBound(exclusiveMinimum as number | undefined),
  ];
  if (above !== undefined) return ` greater than ${above}${max === undefined ? '' : `, up to ${max}`}`;
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

function formatLength(minLength: number | undefined, maxLength: number | undefined): string {
  const hasLength = minLength !== undefined || maxLength !== undefined;
  return hasLength ? ` of ${formatCountRange(minLength, maxLength, 'character')}` : '';
}

const hasItemLimits = ({ minItems, maxItems }: Json) => minItems !== undefined || maxItems !== undefined;
const formatItemRange = ({ minItems, maxItems }: Json) => formatCountRange(minItems, maxItems, 'item');

/** `1 to 50 items`, `up to 20 items`, `at least 1 item` */
function formatCountRange(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return `at least ${formatNumber(min ?? 0)} ${min === 1 ? unit : `${unit}s`}`;
  return `${min ? `${formatNumber(min)} to` : 'up to'} ${formatNumber(max)} ${max === 1 ? unit : `${unit}s`}`;
}
