/** The part of JSON Schema that the contract's OpenAPI document uses. */
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
  examples?: unknown[];
};
export type Schemas = Record<string, Schema>;

/** What the reference says about a value. */
export type Meaning = { description: string; values: string[]; example: string | undefined };
export type MemberRow = Meaning & { name: string; type: string; isRequired: boolean };

/** Returns the link to the description of a named schema. */
export type Locate = (name: string) => string;

/**
 * A row for every member of an object. Members of nested objects are flattened (`assets[].blobPath`), except those of
 * named schemas, which have a table of their own, to which the type links.
 */
export function schemaRows(schema: Schema, schemas: Schemas, locate: Locate, prefix = ''): MemberRow[] {
  const { schema: plain } = resolve(schema, schemas);
  return Object.entries(plain.properties ?? {}).flatMap(([name, member]) => {
    const isRequired = plain.required?.includes(name) ?? false;
    return memberRows(`${prefix}${name}`, member, isRequired, schemas, locate);
  });
}

function memberRows(name: string, member: Schema, isRequired: boolean, schemas: Schemas, locate: Locate): MemberRow[] {
  const { schema } = resolve(member, schemas);
  const row = { name, type: typeOf(member, schemas, locate), isRequired, ...meaningOf(member, schemas) };
  if (objectNameOf(member, schemas)) return [row];
  return [row, ...schemaRows(schema.items ?? schema, schemas, locate, schema.items ? `${name}[].` : `${name}.`)];
}

/** The name of the object that a member is or, for a list, that its items are; undefined for unnamed types. */
export function objectNameOf(member: Schema, schemas: Schemas): string | undefined {
  const { schema, name } = resolve(member, schemas);
  if (schema.items) return objectNameOf(schema.items, schemas);
  return schema.properties || schema.oneOf ? name : undefined;
}

/** The named objects that the members of a schema refer to, at any depth. */
export function objectsIn(schema: Schema, schemas: Schemas): string[] {
  const { schema: plain } = resolve(schema, schemas);
  const inner = [...Object.values(plain.properties ?? {}), ...(plain.items ? [plain.items] : [])];
  return inner.flatMap((member) => {
    const name = objectNameOf(member, schemas);
    return [...(name ? [name] : []), ...objectsIn(member, schemas)];
  });
}

export function meaningOf(member: Schema, schemas: Schemas): Meaning {
  const { description } = resolve(member, schemas);
  return { description, values: valuesOf(member, schemas), example: exampleOf(member, schemas) };
}

/** The values of an enum or a constant, or those of the items of a list. */
function valuesOf(member: Schema, schemas: Schemas): string[] {
  const { schema } = resolve(member, schemas);
  if (schema.items) return valuesOf(schema.items, schemas);
  return (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String);
}

const exampleCharactersMax = 80;

/** A short example; undefined if it adds nothing to the values, the default or the rows of the members. */
function exampleOf(member: Schema, schemas: Schemas): string | undefined {
  const { schema } = resolve(member, schemas);
  const example = member.examples?.[0];
  const isKnown = example === undefined || example === schema.default || typeof example === 'boolean';
  if (isKnown || valuesOf(member, schemas).length > 0) return undefined;
  const item = schema.items ? resolve(schema.items, schemas).schema : schema;
  if (item.properties || item.oneOf) return undefined;
  const text = formatExample(example);
  return text.length > exampleCharactersMax ? `${text.slice(0, exampleCharactersMax).trimEnd()}…` : text;
}

/** The items of a list are separated by spaces, so that lines can wrap. */
function formatExample(example: unknown): string {
  if (Array.isArray(example)) return `[${example.map((item) => JSON.stringify(item)).join(', ')}]`;
  return typeof example === 'string' ? example : JSON.stringify(example);
}

/** `uuid or null`, `integer, 0 to 100`, `list of …` */
export function typeOf(member: Schema, schemas: Schemas, locate: Locate): string {
  const { schema, name, isNullable } = resolve(member, schemas);
  const isObject = name && (schema.properties || schema.oneOf);
  const type = isObject ? `[${name}](${locate(name)})` : bareType(schema, schemas, locate);
  return `${type}${isNullable ? ' or null' : ''}`;
}

function bareType(schema: Schema, schemas: Schemas, locate: Locate): string {
  if (schema.items)
    return `list of ${typeOf(schema.items, schemas, locate)}${formatBounds(schema.minItems, schema.maxItems, ' items')}`;
  const name = typeNameOf(schema);
  return name === 'string'
    ? `string${formatBounds(schema.minLength, schema.maxLength, ' characters')}`
    : `${name}${formatBounds(schema.minimum, schema.maximum)}`;
}

function typeNameOf(schema: Schema): string {
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'date-time') return 'time (ISO 8601)';
  if (schema.format === 'binary') return 'bytes';
  const types = [schema.type ?? 'anything'].flat().filter((type) => type !== 'null');
  return types.join(' or ');
}

function formatBounds(min: number | undefined, max: number | undefined, unit = ''): string {
  // Zod adds the bounds of safe integers, which do not help readers.
  const isSaid = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (isSaid(min) && isSaid(max)) return `, ${min} to ${max}${unit}`;
  if (isSaid(max)) return `, at most ${max}${unit}`;
  if (isSaid(min) && min !== 0) return `, at least ${min}${min === 1 ? unit.replace(/s$/, '') : unit}`;
  return '';
}

type Resolved = { schema: Schema; name?: string; isNullable: boolean; description: string };

/** Resolves references, and separates null from the rest of the type. */
function resolve(schema: Schema, schemas: Schemas): Resolved {
  const description = schema.description ?? '';
  const onward = (next: Schema, isNullable: boolean): Resolved => {
    const found = resolve(next, schemas);
    return { ...found, isNullable: isNullable || found.isNullable, description: description || found.description };
  };
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) as string;
    return { name, ...onward(schemas[name] as Schema, false) };
  }
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (choices?.length === 1) return onward(choices[0] as Schema, choices.length < (schema.anyOf?.length ?? 0));
  const isNullable = [schema.type].flat().includes('null');
  return { schema, isNullable, description };
}
