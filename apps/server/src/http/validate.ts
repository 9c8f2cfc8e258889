import { createFieldRules, type FieldRules } from '@assay/contract/field-rules.ts';
import { bodyValuesMax } from '@assay/contract/limits.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { z } from 'zod';
import { fieldName } from './field-name.ts';
import { nearestName } from './nearest-name.ts';

/** The fields of the schema are the parts of a request (body, query, …); a pointer leads into one of them. */
export function createValidator<Schema extends z.ZodObject>(schema: Schema): (value: unknown) => z.output<Schema> {
  const rules = createFieldRules(schema);
  return (value) => {
    const result = schema.safeParse(value, { error: rules.ruleOf });
    if (result.success) return result.data;
    const errors = result.error.issues.flatMap((issue) => toFieldErrors(issue, rules));
    throw new Refusal('validation_failed', { errors });
  };
}

/** Each value of a body is checked and may be an error, so a body with too many is not checked at all. */
export function refuseManyValues(body: unknown): void {
  if (countValues(body, bodyValuesMax) <= bodyValuesMax) return;
  const detail = `The body can contain up to ${bodyValuesMax.toLocaleString('en-US')} values.`;
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

function toFieldErrors(issue: z.core.$ZodIssue, rules: FieldRules): FieldError[] {
  const { path, code, message } = issue;
  if (code !== 'unrecognized_keys') {
    return [{ pointer: pointerTo(path), code, detail: `${fieldName(path)} ${message}` }];
  }
  const isQuery = path[0] === 'query';
  const known = rules.namesAt(path);
  return issue.keys.map((key) => ({
    pointer: pointerTo([...path, key]),
    code: isQuery ? 'unknown_parameter' : 'unknown_member',
    detail: `Unknown ${isQuery ? 'parameter' : 'field'}: ${fieldName([...path, key])}.${suggestion(key, known)}`,
  }));
}

function suggestion(key: string, known: string[]): string {
  const meant = nearestName(key, known);
  if (meant) return ` Did you mean ${meant}?`;
  return known.length > 0 ? ` Allowed: ${known.join(', ')}.` : '';
}

function pointerTo([_part, ...path]: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
