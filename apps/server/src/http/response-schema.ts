import { z } from 'zod';

/** The schema by which Fastify serialises a response. */
export function responseSchema(body: z.ZodType): unknown {
  return z.toJSONSchema(body, { io: 'input', target: 'draft-07', reused: 'inline', override: mergeNull });
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
