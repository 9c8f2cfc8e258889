import { jsonBodyBytesMax, sentFilenameBytesMax } from '@assay/contract/limits.ts';
import { exampleBlobPath } from '@assay/contract/schemas/examples.ts';
import type { HostileRequest, Target } from './hostile-request.ts';
import { fill, hostileJson, hostileTexts, pick } from './hostile-texts.ts';
import { type Field, valueAt, withValue } from './request-fields.ts';

/** Far above the limit of every text: what takes time with the square of the length takes seconds. */
const longBytes = 64 * 1024;
/** The rest of the body has less. */
const fullBytes = jsonBodyBytesMax - 64 * 1024;
/** A text whose schema has no limit is this long at least once, as if it had one. */
const usualCharactersMax = 2048;
/** Limits in bytes, which no schema has. The name at the end of a blob path has that of a file name. */
const bytesMax: Record<string, number> = {
  filename: sentFilenameBytesMax,
  blobPath: exampleBlobPath.indexOf('spring-ad.mp4') + sentFilenameBytesMax,
};

const hole = '@hole@';

/** A body for each field, in which only this field is hostile, so that the checks of the others are passed. */
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
    const alone = JSON.stringify(withValue(example, path, hole)).split(`"${hole}"`);
    const isWhole = path.length === 0;
    for (const [what, json] of pick(hostileJson, isWhole ? 4 : 1, turn, 0)) yield ask(what, alone, () => json);
    if (field.schema.type !== 'string') continue;

    const valid = valueAt(example, path);
    const text = typeof valid === 'string' ? withHole(valid) : hole;
    const charactersMax = (field.schema.maxLength ?? usualCharactersMax) - text.length + hole.length;
    const limit = bytesMax[String(path.at(-1))];
    const timesOf = (unit: string) =>
      limit === undefined
        ? charactersMax / unit.length
        : (limit - Buffer.byteLength(text) + hole.length) / Buffer.byteLength(unit);
    const inside = JSON.stringify(withValue(example, path, text)).split(hole);
    const inEachItem = JSON.stringify(withValue(example, path, text, itemsMaxOf(field, fields))).split(hole);
    for (const { name: what, unit, inJson } of pick(hostileTexts, 1, turn)) {
      const largest = () => inJson.repeat(Math.max(1, Math.floor(timesOf(unit))));
      yield ask(`${what}, at its largest`, inside, largest);
      yield ask(`${what}, too long`, inside, () => fill(inJson, longBytes));
      if (inEachItem.length > 2) {
        const share = fullBytes / inEachItem.length;
        yield ask(`${what}, in each item`, inEachItem, () => largest().slice(0, cutAt(inJson, share)));
      }
    }
    for (const { name: what, inJson } of pick(hostileTexts, 1, turn, 0)) {
      yield ask(`${what}, 1 MiB`, alone, () => `"${fill(inJson, fullBytes)}"`);
    }
  }
}

/** Before the extension, if there is one: the text begins and ends like the valid one. */
function withHole(valid: string): string {
  const at = valid.includes('.') ? valid.lastIndexOf('.') : valid.length;
  return valid.slice(0, at) + hole + valid.slice(at);
}

/** How many items the outermost list around the field can have. */
function itemsMaxOf({ path }: Field, fields: Field[]): number {
  const list = path.slice(0, path.indexOf(0));
  const field = fields.find((one) => one.schema.type === 'array' && one.path.join() === list.join());
  return field ? Math.min(field.schema.maxItems ?? 1000, 1000) : 1;
}

/** A whole number of units. */
const cutAt = (unit: string, bytes: number) => Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))) * unit.length;
