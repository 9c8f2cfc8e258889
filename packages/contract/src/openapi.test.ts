import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import checkedIn from '../openapi.json' with { type: 'json' };
import { makeOpenApi } from './openapi.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

describe('the checked-in openapi.json', () => {
  test('matches the route table (if not, run pnpm openapi)', () => {
    expect(checkedIn).toEqual(JSON.parse(JSON.stringify(makeOpenApi())));
  });

  test.each(Object.entries<Route>(routes))('has examples for %s that match the schemas of the contract', (_, route) => {
    const requestProblems = route.body instanceof z.ZodType && route.body.safeParse(route.examples.request).error;
    expect(requestProblems || undefined).toBeUndefined();
    if ('body' in route.success) expect(route.success.body.safeParse(route.examples.response).error).toBeUndefined();
  });
});

/** Code generators have rules that OpenAPI itself does not have. */
describe('the OpenAPI document, for code generators', () => {
  type Link = { operationId: string; requestBody?: unknown; parameters?: Record<string, string>; description?: string };
  type Operation = { operationId?: string; responses: Record<string, { links?: Record<string, Link> }> };
  const { paths, webhooks } = makeOpenApi() as Record<'paths' | 'webhooks', Record<string, Record<string, Operation>>>;
  const operationsIn = (part: typeof paths) => Object.values(part).flatMap((methods) => Object.values(methods));
  const operations = [...operationsIn(paths), ...operationsIn(webhooks)];
  const links = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => Object.values(response.links ?? {})),
  );

  test('gives every operation, including webhooks, a unique operationId that is a valid function name', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('assetProcessingCompleted');
  });

  test('gives the request body of every link as a string or not at all', () => {
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ requestBody = '' }) => typeof requestBody !== 'string')).toEqual([]);
  });

  test('names the operation of every link, with its parameters or a description', () => {
    const ids = operationsIn(paths).map(({ operationId }) => operationId);
    const wrong = links.filter(
      ({ operationId, parameters, description }) => !ids.includes(operationId) || !(parameters || description),
    );
    expect(wrong).toEqual([]);
  });
});
