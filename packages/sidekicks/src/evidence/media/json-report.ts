/** An object in a tool's JSON report. If the file is hostile, any value can be missing or have an unexpected type. */
export type JsonObject = Readonly<Record<string, unknown>>;

const charactersMax = 4096;

/**
 * Parses a tool's report. Returns `null` if it is not a JSON object: the tool was killed while writing, or wrote
 * invalid JSON.
 */
export function parseJsonObject(json: string): JsonObject | null {
  try {
    return toObject(JSON.parse(json));
  } catch {
    return null; // JSON.parse throws if the text is invalid
  }
}

export function toObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Returns the objects in an array, without its other elements. */
export function toObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(toObject).filter((object) => object !== null) : [];
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, charactersMax) : null;
}

/** Tools write most numbers as strings, some with a unit (`1000 cd/m2`), and `N/A` for unknown numbers. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'number' ? value : Number.parseFloat(toText(value) ?? '');
  return Number.isFinite(number) ? number : null;
}

/**
 * Returns `null` for negative numbers: hostile files declare negative durations, and codecs without levels have −99.
 */
export function toNumberFromZero(value: unknown): number | null {
  const number = toNumber(value);
  return number !== null && number >= 0 ? number : null;
}
