import { isUtf8 } from 'node:buffer';
import { bodyValuesMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { scanJson } from './scan-json.ts';

// TypeScript does not know yet that a reviver receives the source text of a number.
type Reviver = Parameters<typeof JSON.parse>[1];

/**
 * Treats every key as data, including `__proto__` and `constructor`. An empty body counts as no body. A body with too
 * many values is refused unparsed: parsing 1 MiB of short members takes a tenth of a second, and each may be an error.
 */
export function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw refuse('invalid_json', 'The body is not valid UTF-8. Encode JSON as UTF-8.');
  const text = body.toString();
  const json = text.startsWith('\ufeff') ? text.slice(1) : text; // some clients send a byte order mark
  if (json === '') return undefined;
  const { valueCount, mayHoldLargeNumber } = scanJson(json, bodyValuesMax);
  if (valueCount > bodyValuesMax) {
    throw refuse('too_many_values', `The body can contain up to ${bodyValuesMax.toLocaleString('en-US')} values.`);
  }
  try {
    return mayHoldLargeNumber ? JSON.parse(json, refuseInexact as Reviver) : JSON.parse(json);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refuse('invalid_json', 'The body is not valid JSON.');
  }
}

/** Refuses integers that cannot be stored exactly, and numbers that are not finite. Decimals are rounded as usual. */
function refuseInexact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const isChanged = /^-?\d+$/.test(source ?? '') && !Number.isSafeInteger(value);
  if (isChanged || !Number.isFinite(value))
    throw refuse(
      'number_out_of_range',
      `The number ${source?.slice(0, 40)} cannot be stored exactly. Send it as a string.`,
    );
  return value;
}

function refuse(code: string, detail: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ pointer: '', code, detail }] });
}
