import { jsonBodyBytesMax, sentFilenameBytesMax } from '@assay/contract/limits.ts';
import { exampleBlobPath } from '@assay/contract/schemas/examples.ts';
import type { HostileRequest, Target } from './hostile-request.ts';
import { hostileJson, hostileTexts, pickInTurn, repeatToLength } from './hostile-texts.ts';
import { type Field, valueAt, withValue } from './request-fields.ts';

/** Far above the limit of every string: at this length, an algorithm with quadratic time takes seconds. */
const longBytes = 64 * 1024;
/** Leaves 64 KiB of the limit for the rest of the body. */
const nearlyFullBytes = jsonBodyBytesMax - 64 * 1024;
/** The assumed limit of a string whose schema has none. */
const usualCharactersMax = 2048;
/** Limits in bytes, which a schema cannot express. The name at the end of a blob path has the limit of a file name. */
const bytesMaxByField: Record<string, number> = {
  filename: sentFilenameBytesMax,
  blobPath: exampleBlobPath.indexOf('spring-ad.mp4') + sentFilenameBytesMax,
};

const placeholder = '@hole@';

/** Yields requests for each field: only that field of the body is hostile, so that the others pass their checks. */
export function* hostileBodies(
  target: Target,
  fields: Field[],
  example: unknown,
  firstTurn: number,
): Generator<HostileRequest> {
  for (const [i, field] of fields.entries()) {
    const { path } = field;
    const turn = firstTurn + i;
    const name = path.join('.') || 'as a whole';
    const ask = (what: string, parts: string[], filling: () => string): HostileRequest => ({
      ...target,
      what: `body ${name}: ${what}`,
      body: () => Buffer.from(parts.join(filling())),
    });
    const alone = JSON.stringify(withValue(example, path, placeholder)).split(`"${placeholder}"`);
    const isWhole = path.length === 0;
    for (const [what, json] of pickInTurn(hostileJson, isWhole ? 4 : 1, turn, 0)) yield ask(what, alone, () => json);
    if (field.schema.type !== 'string') continue;

    const valid = valueAt(example, path);
    const text = typeof valid === 'string' ? withPlaceholder(valid) : placeholder;
    const charactersMax = (field.schema.maxLength ?? usualCharactersMax) - text.length + placeholder.length;
    const limit = bytesMaxByField[String(path.at(-1))];
    const timesOf = (unit: string) =>
      limit === undefined
        ? charactersMax / unit.length
        : (limit - Buffer.byteLength(text) + placeholder.length) / Buffer.byteLength(unit);
    const inside = JSON.stringify(withValue(example, path, text)).split(placeholder);
    const inEachItem = JSON.stringify(withValue(example, path, text, itemsMaxOf(field, fields))).split(placeholder);
    for (const { name: what, unit, inJson } of pickInTurn(hostileTexts, 1, turn)) {
      const largest = () => inJson.repeat(Math.max(1, Math.floor(timesOf(unit))));
      yield ask(`${what}, at its largest`, inside, largest);
      yield ask(`${what}, too long`, inside, () => repeatToLength(inJson, longBytes));
      if (inEachItem.length > 2) {
        const share = nearlyFullBytes / inEachItem.length;
        yield ask(`${what}, in each item`, inEachItem, () => largest().slice(0, wholeUnitsLength(inJson, share)));
      }
    }
    for (const { name: what, inJson } of pickInTurn(hostileTexts, 1, turn, 0)) {
      yield ask(`${what}, 1 MiB`, alone, () => `"${repeatToLength(inJson, nearlyFullBytes)}"`);
    }
  }
}

/** Inserts the placeholder before the extension, if there is one, so that the text begins and ends like a valid one. */
function withPlaceholder(valid: string): string {
  const at = valid.includes('.') ? valid.lastIndexOf('.') : valid.length;
  return valid.slice(0, at) + placeholder + valid.slice(at);
}

/** The maximum number of items in the outermost list that contains the field. */
function itemsMaxOf({ path }: Field, fields: Field[]): number {
  const list = path.slice(0, path.indexOf(0));
  const field = fields.find((one) => one.schema.type === 'array' && one.path.join() === list.join());
  return field ? Math.min(field.schema.maxItems ?? 1000, 1000) : 1;
}

/** Returns the length of as many whole units as fit into this number of bytes. */
const wholeUnitsLength = (unit: string, bytes: number) =>
  Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))) * unit.length;
