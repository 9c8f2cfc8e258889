import { createFieldRules, type FieldRules } from '@assay/contract/field-rules.ts';
import { fieldErrorsMax } from '@assay/contract/limits.ts';
import { type FieldError, Refusal } from '@assay/contract/refusals.ts';
import type { z } from 'zod';
import { fieldName } from './field-name.ts';
import { nearestName } from './nearest-name.ts';

/** The fields of the schema are the parts of a request (body, query, …); a pointer leads into one of them. */
export function createValidator<Schema extends z.ZodObject>(schema: Schema): (value: unknown) => z.output<Schema> {
  const rules = createFieldRules(schema);
  return (value) => {
    // The texts are written later, and only for the errors that are listed, because a body can have thousands.
    const result = schema.safeParse(value, { error: () => '', reportInput: true });
    if (result.success) return result.data;
    const { issues } = result.error;
    const errors = fieldErrorsOf(issues, rules).take(fieldErrorsMax).toArray();
    throw new Refusal('validation_failed', { errors, omittedCount: countErrors(issues) - errors.length });
  };
}

type ValidationIssue = z.core.$ZodIssue;

function countErrors(issues: ValidationIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
}

function* fieldErrorsOf(issues: ValidationIssue[], rules: FieldRules): Generator<FieldError, undefined> {
  for (const issue of issues) {
    const { path, code, message } = issue;
    if (code === 'unrecognized_keys') yield* unknownNames(path, issue.keys, rules);
    else
      yield { pointer: pointerTo(path), code, detail: `${fieldName(path)} ${message || rules.ruleOf(issue as never)}` };
  }
}

function* unknownNames(path: PropertyKey[], names: string[], rules: FieldRules): Generator<FieldError, undefined> {
  const [kind, code] = path[0] === 'query' ? ['parameter', 'unknown_parameter'] : ['field', 'unknown_member'];
  const known = rules.namesAt(path);
  for (const name of names) {
    const field = fieldName([...path, name]);
    const detail = `Unknown ${kind}: ${field}.${suggestName(name, known)}`;
    yield { pointer: pointerTo([...path, name]), code, detail };
  }
}

function suggestName(key: string, known: string[]): string {
  const meant = nearestName(key, known);
  if (meant) return ` Did you mean ${meant}?`;
  return known.length > 0 ? ` Allowed: ${known.join(', ')}.` : '';
}

function pointerTo([_part, ...path]: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
