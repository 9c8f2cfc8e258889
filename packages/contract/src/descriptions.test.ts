import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeOpenApi } from './openapi.ts';

type Json = Record<string, unknown>;
type Schema = Json & { $ref?: string; description?: string; examples?: unknown[]; format?: string };
/** A property, parameter or header; the pointer is the place of its definition in the document. */
type Field = { pointer: string; description: string | undefined; schema: Schema };

const document = makeOpenApi();
const { schemas } = document.components as { schemas: Record<string, Schema> };
const fields = fieldsIn(document, '');

describe('every property, parameter and header of the OpenAPI document', () => {
  test('is found by this test', () => {
    const pointers = fields.map(({ pointer }) => pointer);
    expect(pointers).toContain('/components/schemas/Issue/properties/severity');
    expect(pointers).toContain('/components/schemas/CompletedEvent/properties/data/properties/asset_id');
    expect(pointers).toContain('/paths/~1submissions~1{submission_id}/get/parameters/submission_id');
    expect(pointers).toContain('/paths/~1submissions/post/responses/201/headers/Location');
    expect(pointers.length).toBeGreaterThan(500);
  });

  test('has a description', () => {
    const without = fields.filter(({ description, schema }) => !(description ?? referencedSchema(schema)?.description));
    expect(without.map(({ pointer }) => pointer)).toEqual([]);
  });

  test('has an example, unless it is a file', () => {
    const without = fields.filter(({ schema }) => schema.format !== 'binary' && !schema.examples?.length);
    expect(without.map(({ pointer }) => pointer)).toEqual([]);
  });

  test('has only examples that match its schema', () => {
    const refused = fields.flatMap(({ pointer, schema }) => {
      const validator = validatorOf(schema);
      return (schema.examples ?? []).flatMap((example) => {
        const { error } = validator.safeParse(example);
        return error ? [`${pointer}: ${JSON.stringify(example)}: ${z.prettifyError(error)}`] : [];
      });
    });
    expect(refused).toEqual([]);
  });
});

describe('named schemas of the OpenAPI document', () => {
  test.each(Object.entries(schemas).filter(([, { examples }]) => examples))('%s accepts its examples', (_, schema) => {
    for (const example of schema.examples ?? []) expect(validatorOf(schema).safeParse(example).error).toBeUndefined();
  });
});

function fieldsIn(value: unknown, pointer: string): Field[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (name === 'example' || name === 'examples') return [];
    if (name === 'properties')
      return entriesOf(inner).flatMap(([key, schema]) => propertyAt(`${place}/${key}`, schema));
    if (name === 'headers') return entriesOf(inner).map(([key, header]) => parameterAt(`${place}/${key}`, header));
    if (name === 'parameters' && Array.isArray(inner)) {
      return inner.map((parameter) => parameterAt(`${place}/${parameter.name}`, parameter));
    }
    return fieldsIn(inner, place);
  });
}

function entriesOf(value: unknown): [string, Schema][] {
  return Object.entries(value as Record<string, Schema>);
}

function propertyAt(pointer: string, schema: Schema): Field[] {
  return [{ pointer, description: schema.description, schema }, ...fieldsIn(schema, pointer)];
}

function parameterAt(pointer: string, { description, schema }: Json): Field {
  return { pointer, description: description as string | undefined, schema: schema as Schema };
}

function referencedSchema({ $ref }: Schema): Schema | undefined {
  return $ref === undefined ? undefined : schemas[$ref.split('/').at(-1) as string];
}

/** Zod resolves references only within the schema itself, and treats a URI reference as an absolute URL. */
function validatorOf(schema: Schema): z.ZodType {
  const refersToOthers = JSON.stringify(schema).includes('"$ref"');
  const whole = JSON.stringify(refersToOthers ? { ...schema, $defs: schemas } : schema);
  return z.fromJSONSchema(
    JSON.parse(whole, (name, value) => {
      if (name === '$ref') return value.replace('#/components/schemas/', '#/$defs/');
      return name === 'format' && value === 'uri-reference' ? undefined : value;
    }),
  );
}
