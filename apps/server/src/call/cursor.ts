import { Refusal } from '@assay/contract/refusals.ts';
import type { z } from 'zod';

/** Encodes where a page ended, so that the next page can continue there. Opaque to callers, so that it may change. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

export function decodeCursor<Schema extends z.ZodType>(
  cursor: string | undefined,
  schema: Schema,
): z.output<Schema> | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    const error = {
      pointer: '/cursor',
      code: 'invalid_cursor',
      detail: 'cursor must be a nextCursor returned by this list.',
    };
    throw new Refusal('validation_failed', { errors: [error], cause });
  }
}

/** Cuts a page from rows queried with one row more than its limit; the extra row shows that there is a next page. */
export function cutPage<Row>(rows: Row[], limit: number, positionOf: (last: Row) => unknown) {
  const items = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { items, hasMore, nextCursor: hasMore ? encodeCursor(positionOf(items.at(-1) as Row)) : null };
}
