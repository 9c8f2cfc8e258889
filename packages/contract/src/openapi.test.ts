import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import checkedIn from '../openapi.json' with { type: 'json' };
import { makeOpenApi } from './openapi.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

describe('the checked-in openapi.json', () => {
  test('is what the route table says (else: pnpm openapi)', () => {
    expect(checkedIn).toEqual(JSON.parse(JSON.stringify(makeOpenApi())));
  });

  test.each(Object.entries<Route>(routes))('shows examples of %s that the contract accepts', (_, route) => {
    const requestProblems = route.body instanceof z.ZodType && route.body.safeParse(route.examples.request).error;
    expect(requestProblems || undefined).toBeUndefined();
    if ('body' in route.success) expect(route.success.body.safeParse(route.examples.response).error).toBeUndefined();
  });
});
