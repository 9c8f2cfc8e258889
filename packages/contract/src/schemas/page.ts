import { z } from 'zod';

/** An integer in a query string. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  );
}

/** The most values of a repeated query parameter. */
const repeatedValuesMax = 20;

/** A query parameter that can be repeated, for a filter that matches any of the values. */
export function repeatableParameter<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (value === undefined ? value : [value].flat()),
    z.array(item).max(repeatedValuesMax, `can be repeated up to ${repeatedValuesMax} times.`),
  );
}

/** A time in a request: RFC 3339, in UTC or with an offset. */
export const requestTime = z.iso.datetime({ offset: true });

/** Room for the longest file name, in which a position may be. */
const cursorCharactersMax = 1000;

const exampleCursor = 'IjAxOTBhNWM1LTAyYzQtN2IzYS05ZjBlLTNmNmQ2YTFiMmMzZCI';

export const cursor = z
  .string()
  .max(cursorCharactersMax)
  .meta({ description: '`nextCursor` of the previous page, unchanged.', examples: [exampleCursor] });

/** Query parameters that limit a list by creation time. The bounds themselves are excluded. */
export const createdBetween = <Time extends z.ZodType>(time: Time) => ({
  createdAfter: time
    .optional()
    .meta({ description: 'Only items created after this time.', examples: ['2026-01-05T00:00:00Z'] }),
  createdBefore: time
    .optional()
    .meta({ description: 'Only items created before this time.', examples: ['2026-01-06T00:00:00Z'] }),
});

export function pageLimit({ default: usual, max }: { default: number; max: number }) {
  return wholeNumber(1, max)
    .default(usual)
    .meta({ description: `Items per page: 1 to ${max}.` });
}

/** The fields that every list has besides its items. */
export const pageMembers = {
  nextCursor: z
    .string()
    .nullable()
    .meta({
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
      examples: [exampleCursor],
    }),
  hasMore: z.boolean().meta({ description: 'Whether there is a next page; if so, `nextCursor` is set.' }),
};
