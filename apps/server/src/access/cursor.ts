import { Refusal } from '@assay/contract/refusals.ts';
import type { z } from 'zod';

/** Where a page ended, for the next one to go on from. Opaque to callers, so that it may change. */
export function encodeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

export function decodeCursor<Schema extends z.ZodType>(
  cursor: string | undefined,
  schema: Schema,
): z.output<Schema> | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    const error = { pointer: '/cursor', code: 'invalid_cursor', detail: 'Not a nextCursor of this list.' };
    throw new Refusal('validation_failed', { errors: [error], cause });
  }
}

/** A page from rows of which one more than the limit was asked for, to know whether there is more. */
export function cutPage<Row>(rows: Row[], limit: number, placeOf: (last: Row) => unknown) {
  const items = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { items, hasMore, nextCursor: hasMore ? encodeCursor(placeOf(items.at(-1) as Row)) : null };
}
