import build from 'fast-json-stringify';
import { z } from 'zod';

type Serialise = (value: unknown) => string;
const serialisers = new WeakMap<z.ZodType, Serialise>();

/**
 * Returns the serialiser for responses of this schema. It is compiled once per process: Fastify would compile it for
 * each route and prefix, which takes most of the time to start.
 */
export function serialiserOf(body: z.ZodType): Serialise {
  const serialise = serialisers.get(body) ?? build(responseSchema(body));
  serialisers.set(body, serialise);
  return serialise;
}

function responseSchema(body: z.ZodType): Parameters<typeof build>[0] {
  const schema = z.toJSONSchema(body, { io: 'input', target: 'draft-07', reused: 'inline', override: mergeNull });
  return schema as Parameters<typeof build>[0];
}

// With `anyOf` and null the serialiser validates each value to find its branch; with a list of types it does not.
function mergeNull({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [one, other, ...rest] = jsonSchema.anyOf ?? [];
  if (rest.length > 0 || !one || other?.type !== 'null' || typeof one.type !== 'string') return;
  const { anyOf, ...own } = jsonSchema;
  for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  Object.assign(jsonSchema, one, own, { type: [one.type, 'null'] });
  if (one.enum) jsonSchema.enum = [...one.enum, null];
}
