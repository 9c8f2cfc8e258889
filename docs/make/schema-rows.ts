/** The part of JSON Schema that the contract's document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  description?: string;
};
export type Schemas = Record<string, Schema>;

export type MemberRow = { name: string; type: string; isRequired: boolean; description: string };

/** Every member of an object, nested ones flattened: `assets[].blobPath`. */
export function schemaRows(schema: Schema, schemas: Schemas, prefix = ''): MemberRow[] {
  const { schema: plain } = resolve(schema, schemas);
  return Object.entries(plain.properties ?? {}).flatMap(([name, member]) => {
    const isRequired = plain.required?.includes(name) ?? false;
    return memberRows(`${prefix}${name}`, member, isRequired, schemas);
  });
}

function memberRows(name: string, member: Schema, isRequired: boolean, schemas: Schemas): MemberRow[] {
  const { schema, description } = resolve(member, schemas);
  const row = { name, type: typeOf(member, schemas), isRequired, description };
  const inner = schema.items ? resolve(schema.items, schemas).schema : schema;
  return [row, ...schemaRows(inner, schemas, schema.items ? `${name}[].` : `${name}.`)];
}

/** `uuid or null`, `integer, 0 to 100`, `list of …` */
export function typeOf(member: Schema, schemas: Schemas): string {
  const { schema, isNullable } = resolve(member, schemas);
  return `${bareType(schema, schemas)}${isNullable ? ' or null' : ''}`;
}

function bareType(schema: Schema, schemas: Schemas): string {
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.oneOf) return 'one of several types';
  if (schema.items) return `list of ${typeOf(schema.items, schemas)}${bounds(schema.minItems, schema.maxItems)}`;
  const name = nameOf(schema);
  return name === 'string'
    ? `string${bounds(schema.minLength, schema.maxLength, ' characters')}`
    : `${name}${bounds(schema.minimum, schema.maximum)}`;
}

function nameOf(schema: Schema): string {
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'date-time') return 'time (ISO 8601)';
  if (schema.format === 'binary') return 'bytes';
  const types = [schema.type ?? 'anything'].flat().filter((type) => type !== 'null');
  return types.join(' or ');
}

function bounds(min: number | undefined, max: number | undefined, unit = ''): string {
  // Zod writes the limits of safe integers, which do not help a reader.
  const isSaid = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isSaid(min) && isSaid(max)) return `, ${min} to ${max}${unit}`;
  if (isSaid(max)) return `, at most ${max}${unit}`;
  if (isSaid(min) && min !== 0) return `, at least ${min}${unit}`;
  return '';
}

type Resolved = { schema: Schema; isNullable: boolean; description: string };

/** Resolves references, and separates `or null` from the rest of the type. */
function resolve(schema: Schema, schemas: Schemas): Resolved {
  const description = schema.description ?? '';
  const onward = (next: Schema, isNullable: boolean): Resolved => {
    const found = resolve(next, schemas);
    return { ...found, isNullable: isNullable || found.isNullable, description: description || found.description };
  };
  if (schema.$ref) return onward(schemas[schema.$ref.split('/').at(-1) as string] as Schema, false);
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (choices?.length === 1) return onward(choices[0] as Schema, choices.length < (schema.anyOf?.length ?? 0));
  const isNullable = [schema.type].flat().includes('null');
  return { schema, isNullable, description };
}
