import { builtInProfiles } from '@assay/contract/schemas/profiles/built-in.ts';
import { ProfileRequest } from '@assay/contract/schemas/profiles/resource.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import fc, { type Arbitrary } from 'fast-check';
import { sidekicks } from '#sidekick/catalogue.ts';

type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
};

const rootSchema = ProfileRequest.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as JsonSchema;
const ruleCodes = sidekicks.flatMap(({ rules }) => Object.keys(rules));

const arbitraryValues = fc.oneof(
  fc.constantFrom<unknown>(-1e9, 1e9, 0.5, '', 'x', true, [], {}, [null], { x: 1 }, '\0', '\ud800'),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Valid grades: in ascending order of distance and severity. */
const validGrades = fc
  .tuple(
    fc.subarray(['INFO', 'MINOR', 'MAJOR', 'CRITICAL'], { minLength: 1 }),
    fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 4, maxLength: 4 }),
  )
  .map(([chosen, steps]) => {
    const beyond = (i: number) => steps.slice(0, i).reduce((sum, step) => sum + step, 0);
    return chosen.map((severity, i) => ({ beyond: beyond(i), severity }));
  });

const ruleSetting = fc.record(
  {
    ruleCode: fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...ruleCodes) }, fc.string()),
    severity: fc.constantFrom('OFF', ...severities),
  },
  { requiredKeys: ['ruleCode', 'severity'] },
);
const gradedRuleSetting = fc.record({ ruleCode: fc.constantFrom(...ruleCodes), grades: validGrades });

/** Generators for members that would hardly ever be valid if they were generated from the schema alone. */
const generatorByMember: Record<string, Arbitrary<unknown>> = {
  name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
  extends: fc.record({ profile: fc.constantFrom(...builtInProfiles) }),
  rules: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.uniqueArray(fc.oneof(ruleSetting, gradedRuleSetting), {
        maxLength: 6,
        selector: (one) => one.ruleCode,
      }),
    },
    fc.array(valuesOfSchema(rootSchema.properties?.rules?.anyOf?.[0]?.items ?? {}), { maxLength: 3 }),
  ),
};

/** Generates profile documents. Most match the schema; in the others, one member is replaced or added. */
export const profileDocuments: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: valuesOfSchema(rootSchema) },
  { weight: 1, arbitrary: valuesOfSchema(rootSchema).chain(changeOneMember) },
);

function valuesOfSchema(schema: JsonSchema): Arbitrary<unknown> {
  const { $ref, anyOf, enum: values, properties, items } = schema;
  if ($ref) return valuesOfSchema(rootSchema.$defs?.[$ref.split('/').at(-1) as string] ?? {});
  if (anyOf) {
    const [first = {}, ...rest] = anyOf;
    return fc.oneof({ weight: 9, arbitrary: valuesOfSchema(first) }, ...rest.map(valuesOfSchema));
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (values) return fc.constantFrom(...values);
  if (properties) {
    const members = Object.entries(properties).map(([name, one]) => [
      name,
      generatorByMember?.[name] ?? valuesOfSchema(one),
    ]);
    return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] } as never);
  }
  if (items)
    return fc.array(valuesOfSchema(items), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 4, 4),
    });
  const { minimum: min = -1000, maximum: max = 1000 } = schema;
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === 'number') return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  return fc.string({ maxLength: Math.min(schema.maxLength ?? 20, 20) });
}

/** Replaces a member of a document with a different value, or adds an unknown member. */
function changeOneMember(document: unknown): Arbitrary<unknown> {
  const memberPaths = memberPathsOf(document);
  return fc.tuple(fc.constantFrom(...memberPaths), arbitraryValues, fc.boolean()).map(([path, value, isNew]) => {
    const copy = structuredClone(document) as Record<string, unknown>;
    const holder = path.slice(0, -1).reduce((inner, part) => inner[part] as Record<string, unknown>, copy);
    holder[isNew && !Array.isArray(holder) ? 'unknown' : (path.at(-1) ?? 'unknown')] = value;
    return copy;
  });
}

function memberPathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) => memberPathsOf(one, [...path, name]));
  return path.length > 0 ? [path, ...inner] : inner.length > 0 ? inner : [['unknown']];
}
