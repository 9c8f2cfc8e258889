import { z } from 'zod';

/** The schema by which Fastify writes an answer. */
export function responseSchema(body: z.ZodType): unknown {
  return z.toJSONSchema(body, { io: 'input', target: 'draft-07', reused: 'inline', override: mergeNull });
}

// `anyOf` with null makes the serialiser validate each value to find its branch; a list of types does not.
function mergeNull({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const [one, other, ...rest] = jsonSchema.anyOf ?? [];
  if (rest.length > 0 || !one || other?.type !== 'null' || typeof one.type !== 'string') return;
  const { anyOf, ...own } = jsonSchema;
  for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  Object.assign(jsonSchema, one, own, { type: [one.type, 'null'] });
  if (one.enum) jsonSchema.enum = [...one.enum, null];
}
