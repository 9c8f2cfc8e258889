import { Refusal } from '@assay/contract/refusals.ts';

/** What may hold a number that JavaScript does not hold exactly: only then is every number looked at as it was written. */
const mayHoldLargeNumber = /\d{16}|\d[eE]\+?\d{3}/;

// TypeScript does not know yet that a reviver is given the text of a number.
type Reviver = Parameters<typeof JSON.parse>[1];

/** Every member is data, also `__proto__` and `constructor`. An empty body is none. */
export function readJson(text: string): unknown {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text; // a byte order mark, as some clients write it
  if (json === '') return undefined;
  try {
    return mayHoldLargeNumber.test(json) ? JSON.parse(json, refuseInexact as Reviver) : JSON.parse(json);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refuse('invalid_json', 'The body is not valid JSON.');
  }
}

/** An integer that would come back as another one, and what is no finite number. Decimals are rounded as everywhere. */
function refuseInexact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const isChanged = /^-?\d+$/.test(source ?? '') && !Number.isSafeInteger(value);
  if (isChanged || !Number.isFinite(value))
    throw refuse(
      'number_out_of_range',
      `The number ${source?.slice(0, 40)} cannot be kept exactly. Send it as a string.`,
    );
  return value;
}

function refuse(code: string, detail: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ pointer: '', code, detail }] });
}
