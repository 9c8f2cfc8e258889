import { z } from 'zod';

/** A whole number as it stands in a query string. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
}

/** A parameter that may be given several times: any of these. */
export function anyOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (value === undefined ? value : [value].flat()), z.array(item).max(20));
}

/** A moment as a caller gives it: RFC 3339, in UTC or with an offset. */
export const givenTime = z.iso.datetime({ offset: true });

export const cursor = z.string().max(200).meta({ description: '`nextCursor` of the page before, unchanged.' });

export function pageLimit({ default: usual, max }: { default: number; max: number }) {
  return wholeNumber(1, max)
    .default(usual)
    .meta({ description: `At most so many per page: 1 to ${max}.` });
}

/** The members that every list has beside its items. */
export const pageMembers = {
  nextCursor: z.string().nullable().meta({ description: 'Pass it as `cursor` for the next page; null on the last.' }),
  hasMore: z.boolean(),
};
