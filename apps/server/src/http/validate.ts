import { bodyValuesMax } from '@assay/contract/limits.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { z } from 'zod';
import { nearestName } from './nearest-name.ts';

/** The schema's own members are the parts of a request (body, query, …); a pointer leads into one of them. */
export function validate<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  knownParameters: readonly string[],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => toFieldErrors(issue, knownParameters));
  throw new Refusal('validation_failed', { errors });
}

/** Each value of a body is checked and may be an error, so a body of too many is not checked at all. */
export function refuseManyValues(body: unknown): void {
  if (countValues(body, bodyValuesMax) <= bodyValuesMax) return;
  const detail = `A body may hold at most ${bodyValuesMax} values.`;
  throw new Refusal('validation_failed', { errors: [{ pointer: '', code: 'too_many_values', detail }] });
}

/** Stops counting beyond the limit. */
function countValues(value: unknown, limit: number): number {
  let count = 0;
  const waiting = [value];
  while (waiting.length > 0 && count <= limit) {
    count++;
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (inner.length > limit) return inner.length;
    waiting.push(...inner);
  }
  return count + waiting.length;
}

function toFieldErrors(issue: z.core.$ZodIssue, knownParameters: readonly string[]): FieldError[] {
  if (issue.code === 'unrecognized_keys' && issue.path[0] === 'query') {
    return issue.keys.map((key) => {
      const meant = nearestName(key, knownParameters);
      const detail = `Unknown parameter.${meant ? ` Did you mean ${meant}?` : ''}`;
      return { pointer: pointerTo(['query', key]), code: 'unknown_parameter', detail };
    });
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointerTo([...issue.path, key]),
      code: 'unknown_member',
      detail: 'This member is not known here.',
    }));
  }
  return [{ pointer: pointerTo(issue.path), code: issue.code, detail: issue.message }];
}

function pointerTo([_part, ...path]: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
