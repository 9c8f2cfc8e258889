type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  examples?: unknown[];
};
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Operation = {
  parameters?: { schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/**
 * Gives every field of the OpenAPI document an example: the one in the field’s schema, else the field’s value in an
 * endpoint’s example, else a value that its schema names, such as the default or the first value of an enum.
 */
export function withFieldExamples<Json extends Record<string, unknown>>(made: Json): Json {
  const copy = structuredClone(made);
  const { paths, components } = copy as unknown as Document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const contents = operations.flatMap(({ requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}),
    ...Object.values(responses).flatMap(({ content }) => Object.values(content ?? {})),
  ]);
  const roots = [...Object.values(components.schemas), ...contents.map(({ schema }) => schema)];
  const fields = roots.flatMap(fieldsOf);
  const collectExamples = createExampleCollector(components.schemas);

  for (const field of fields) liftFromNullable(field);
  for (const schema of [...fields, ...roots])
    for (const example of schema.examples ?? []) collectExamples(schema, example);
  for (const { schema, example } of contents) collectExamples(schema, example);
  const parameters = operations.flatMap((operation) => operation.parameters ?? []).map(({ schema }) => schema);
  for (const field of [...fields, ...parameters]) {
    const first = firstValueOf(field, components.schemas);
    if (first !== undefined) field.examples ??= [first];
  }
  return copy;
}

/** Every property below a schema, without following references to named schemas. */
function fieldsOf(schema: Schema): Schema[] {
  const properties = Object.values(schema.properties ?? {});
  const inner = [...properties, ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...properties, ...inner.flatMap(fieldsOf)];
}

/** Moves description and examples of a nullable field from its first choice to the field itself. */
function liftFromNullable(field: Schema): void {
  const [choice] = choicesOf(field);
  if (!choice || choice.$ref) return;
  if (choice.description) field.description ??= choice.description;
  if (choice.examples) field.examples ??= choice.examples;
  delete choice.description;
  delete choice.examples;
}

const choicesOf = ({ anyOf = [] }: Schema) => anyOf.filter(({ type }) => type !== 'null');

/** Follows references, and returns the non-null choice of a nullable field. */
function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  const next = schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : choicesOf(schema)[0];
  return next ? resolve(next, schemas) : schema;
}

/** Creates a function that uses the values of an example document as examples of fields that have none. */
function createExampleCollector(schemas: Record<string, Schema>) {
  return function collectExamples(schema: Schema, value: unknown): void {
    const plain = resolve(schema, schemas);
    if (Array.isArray(value)) {
      for (const item of value) if (plain.items) collectExamples(plain.items, item);
    } else if (typeof value === 'object' && value !== null) {
      const variant = plain.oneOf?.find((one) => hasConstantsOf(resolve(one, schemas), value)) ?? plain;
      for (const [name, field] of Object.entries(resolve(variant, schemas).properties ?? {})) {
        const inner = (value as Record<string, unknown>)[name];
        if (!isUsefulExample(inner)) continue;
        field.examples ??= [inner];
        collectExamples(field, inner);
      }
    }
  };
}

/** Whether the value contains the constants of this variant, such as the type of an event. */
function hasConstantsOf({ properties = {} }: Schema, value: object): boolean {
  return Object.entries(properties).every(
    ([name, field]) => field.const === undefined || field.const === (value as Record<string, unknown>)[name],
  );
}

function isUsefulExample(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null;
}

function firstValueOf(field: Schema, schemas: Record<string, Schema>): unknown {
  const { const: only, enum: values, type, default: usual } = { ...resolve(field, schemas), ...field };
  const first = usual ?? only ?? values?.find((value) => value !== null);
  return first ?? (type === 'boolean' ? true : undefined);
}
