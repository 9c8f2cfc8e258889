import { Failure } from './failure.ts';

/** Reads a JSON object that a user wrote; `name` says where it is from. */
export function parseJsonObject(text: string, name: string, next?: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Failure('usage', `${name} is not valid JSON: ${(cause as Error).message}`, { next, cause });
  }
  if (isObject(value)) return value;
  throw new Failure('usage', `${name} must contain a JSON object.`, { next });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
