import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { z } from 'zod';

/** The schema's own members are the parts of a request (body, query, …); a pointer leads into one of them. */
export function validate<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal('validation_failed', { errors: result.error.issues.flatMap(toFieldErrors) });
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
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
