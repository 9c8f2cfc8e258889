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

/** Rules of code generators that OpenAPI itself does not have. */
describe('what code generators need', () => {
  type Link = { operationId: string; requestBody?: unknown; parameters?: Record<string, string>; description?: string };
  type Operation = { operationId?: string; responses: Record<string, { links?: Record<string, Link> }> };
  const { paths, webhooks } = makeOpenApi() as Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>;
  const operationsIn = (part: typeof paths) => Object.values(part).flatMap((methods) => Object.values(methods));
  const operations = [...operationsIn(paths), ...operationsIn(webhooks)];
  const links = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => Object.values(response.links ?? {})),
  );

  test('every operation, webhooks included, has an id of its own that can be a function name', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('assetProcessingCompleted');
  });

  test('the body of a link is a string or is only described', () => {
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ requestBody = '' }) => typeof requestBody !== 'string')).toEqual([]);
  });

  test('a link names an operation, and what to take from the response', () => {
    const ids = operationsIn(paths).map(({ operationId }) => operationId);
    const wrong = links.filter(
      ({ operationId, parameters, description }) => !ids.includes(operationId) || !(parameters || description),
    );
    expect(wrong).toEqual([]);
  });
});
