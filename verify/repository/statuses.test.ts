import { refusals } from '@assay/contract/refusals.ts';
import { idParamsOf, paramsOf, type Route, refusalsOf } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { describe, expect, test } from 'vitest';
import { files, isTest, textOf } from './sources.ts';

/** Strings are matched first, because they may contain what looks like a comment, such as a URL. */
function withoutComments(text: string): string {
  return text.replaceAll(/('(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/.*|\/\*[\s\S]*?\*\//g, '$1');
}

describe('tests of declared statuses', () => {
  // 401, 402, 405, 429 and requests that no route accepts are tested for all routes together, 500 and 502 for each
  // dependency.
  const statusesTestedTogether = [401, 500, 502];
  const codesTestedTogether = [
    ...['unsupported_content_encoding', 'request_too_large', 'insufficient_scope'], // verify/contract/every-route.test.ts
    ...['idempotency_in_flight', 'idempotency_key_reused'], // modules/idempotency/every-route.test.ts
    // verify/security/tenancy.test.ts tests references that are deleted, of another workspace, or malformed.
    ...['submission', 'asset', 'issue', 'profile', 'subscription', 'delivery', 'channel'].map(
      (one) => `${one}_not_found`,
    ),
  ];
  const testedAlone = (route: Route) =>
    refusalsOf(route).filter((code) => {
      if (statusesTestedTogether.includes(refusals[code].status) || codesTestedTogether.includes(code)) return false;
      return (
        code !== 'validation_failed' || route.body || route.query || paramsOf(route).length > idParamsOf(route).length
      );
    });
  // Without comments, because a code that only a comment mentions is not tested.
  const tests = files.filter(isTest).map((file) => withoutComments(textOf.get(file) ?? ''));

  test.each(Object.values<Route>(routes))('every declared status of $method $path has a test block', (route) => {
    const text = tests.find((candidate) => candidate.includes(`describe('${route.method} ${route.path}'`));
    if (!text) return expect.fail('no test file describes this route');
    const statuses = new Set([route.success.status, ...testedAlone(route).map((code) => refusals[code].status)]);
    for (const status of statuses) expect(text, `a block for ${status}`).toContain(`describe('${status}: `);
    for (const code of testedAlone(route)) expect(text, `a test of ${code}`).toContain(code);
  });

  test.each(['401: ', '402: ', '403: ', '405: ', '422: ', '429: '])(
    'every-route.test.ts tests every route for %s',
    (block) => {
      const everyRoute = textOf.get('verify/contract/every-route.test.ts') ?? '';
      expect(everyRoute).toContain(`describe('${block}`);
      expect(everyRoute).toMatch(/Object\.values<Route>\(routes\)/);
    },
  );

  test.each(['500: PostgreSQL', '502: PostgreSQL', '500: object storage', '502: object storage'])(
    'a fault test covers %s',
    (block) => {
      expect(textOf.get('verify/resilience/faults.test.ts')).toMatch(new RegExp(`describe(Once)?\\('${block}`));
    },
  );
});
