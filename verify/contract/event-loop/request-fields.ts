import { makeOpenApi } from '@assay/contract/openapi.ts';
import type { Route } from '@assay/contract/route.ts';

type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  maxLength?: number;
  maxItems?: number;
};
type Operation = {
  parameters?: { name: string; in: 'path' | 'query' | 'header' }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export type Step = string | number;
/** A field of a body. In its path, 0 stands for the items of a list. */
export type Field = { path: Step[]; schema: Schema };

const { paths, components } = makeOpenApi() as Document;

/** The query parameters, headers and body fields of a route, from the OpenAPI document. */
export function requestFields(route: Route) {
  const operations = paths[route.path] as Record<string, Operation>;
  const { parameters = [], requestBody } = operations[route.method.toLowerCase()] as Operation;
  const namesIn = (part: string) => parameters.filter((one) => one.in === part).map(({ name }) => name);
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema ? dropSimilarFields([...fieldsIn(schema)]) : [];
  return { query: namesIn('query'), headers: namesIn('header'), body };
}

/** Deep in a document, such as the limits of a profile, one field stands for all that are checked in the same way. */
function dropSimilarFields(fields: Field[]): Field[] {
  const ruleOf = ({ path, schema }: Field) =>
    path.length < (schema.type === 'string' ? 4 : 3)
      ? path.join('.')
      : JSON.stringify(schema, (name, value) => (ignoredKeywords.includes(name) ? 0 : value));
  return [...new Map(fields.map((field) => [ruleOf(field), field])).values()];
}

const ignoredKeywords = ['description', 'examples', 'default', 'properties'];

function* fieldsIn(schema: Schema, path: Step[] = []): Generator<Field> {
  const inner: [Schema | undefined, Step[]][] = [
    [schema.$ref ? components.schemas[schema.$ref.replace('#/components/schemas/', '')] : undefined, path],
    ...(schema.anyOf ?? []).map((choice): [Schema, Step[]] => [choice, path]),
    ...Object.entries(schema.properties ?? {}).map(([name, field]): [Schema, Step[]] => [field, [...path, name]]),
    [schema.items, [...path, 0]],
  ];
  if (schema.type !== undefined && schema.type !== 'null') yield { path, schema };
  for (const [field, at] of inner) if (field) yield* fieldsIn(field, at);
}

export function valueAt(value: unknown, path: Step[]): unknown {
  return path.reduce((inner: unknown, step) => (inner as Record<Step, unknown> | null | undefined)?.[step], value);
}

/**
 * Returns a copy of the value with `inner` at the path. The outermost list on the path gets `copies` of its first item.
 */
export function withValue(value: unknown, [step, ...rest]: Step[], inner: unknown, copies = 1): unknown {
  if (step === undefined) return inner;
  const isList = typeof step === 'number';
  const changed = withValue(valueAt(value, [step]), rest, inner, isList ? 1 : copies);
  return isList ? Array(copies).fill(changed) : { ...(value as object | undefined), [step]: changed };
}
