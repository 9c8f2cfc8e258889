import type { Refusal } from '@assay/contract/refusals.ts';
import { paramsOf, positionParam, type Route } from '@assay/contract/route.ts';
import { type RouteName, routes } from '@assay/contract/routes.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requestOf } from './read-call.ts';
import { createValidator } from './validate.ts';

type Json = z.core.JSONSchema.BaseSchema;
type Path = (string | number)[];
type Request = Record<string, unknown>;

const uuid = '0190a5c5-02c4-7b3a-9f0e-3f6d6a1b2c3d';

/** A request that the route accepts. */
function validRequest(route: Route): Request {
  const params = paramsOf(route).map(({ inPath }) => [inPath, inPath === positionParam ? '1' : uuid]);
  const needed = Object.entries({ channel: `submission.${uuid}`, with: 'general' });
  const query = needed.filter(([name]) => route.query && name in route.query.shape);
  return {
    params: Object.fromEntries(params),
    query: Object.fromEntries(query),
    headers: {},
    ...(route.body instanceof z.ZodType && { body: route.examples.request }),
  };
}

/** The paths of all fields in a schema; an array is represented by its first item. */
function pathsIn(schema: Json, root: Json, path: Path = []): Path[] {
  if (schema.$ref) return pathsIn(root.$defs?.[schema.$ref.replace('#/$defs/', '')] as Json, root, path);
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, field]) => [name, field] as const),
    ...(schema.items ? [[0, schema.items as Json] as const] : []),
  ];
  return [
    ...(path.length > 1 ? [path] : []), // the first step is the part of the request
    ...(schema.anyOf ?? []).flatMap((choice) => pathsIn(choice, root, path).filter((one) => one.length > path.length)),
    ...inner.flatMap(([step, field]) => pathsIn(field as Json, root, [...path, step])),
  ];
}

function withValue(request: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') return [withValue((request as unknown[] | undefined)?.[step], rest, value)];
  return {
    ...(request as object | undefined),
    [step]: withValue((request as Request | undefined)?.[step], rest, value),
  };
}

const validators = Object.fromEntries(
  Object.entries<Route>(routes).map(([name, route]) => [name, createValidator(requestOf(route))]),
);

function errorsOf(name: RouteName, request: unknown) {
  try {
    validators[name]?.(request);
    return [];
  } catch (error) {
    return (error as Refusal).errors ?? [];
  }
}

const wrongValues = [
  ...[undefined, null, true, -1, 1.5, 10 ** 9, '', ' ', 'x', 'x'.repeat(20_000), '\0', '\ud800', '-1', '1000000000'],
  ...[[], ['x', 'x'], Array.from({ length: 200 }, () => 'x'), [null], {}, { surprise: 1 }],
];
const validatorWording = /invalid|expected|received|too (small|big)|unrecogni[sz]ed|\bpattern\b|is not valid/i;

describe.each(Object.keys(routes) as RouteName[])('the validation of %s', (name) => {
  const route: Route = routes[name];
  const schema = z.toJSONSchema(requestOf(route), { io: 'input', unrepresentable: 'any' });
  const valid = validRequest(route);

  test('finds no errors in a valid request', () => expect(errorsOf(name, valid)).toEqual([]));

  test.each(pathsIn(schema, schema).map((path) => [path.join('.'), path] as const))(
    'names the field, without the wording of the validator, for errors in %s',
    (_, path) => {
      const errors = wrongValues.flatMap((value) => errorsOf(name, withValue(valid, path, value)));
      expect(errors).not.toEqual([]);
      for (const { pointer, detail } of errors) {
        const field = pointer.split('/').findLast((step) => !/^\d*$/.test(step)) ?? 'the body';
        expect(detail.toLowerCase()).toContain(field.toLowerCase());
        expect(detail).toMatch(/^\S.*[.?]$/);
        expect(detail).not.toMatch(validatorWording);
      }
    },
  );

  test('names an unknown field or parameter', () => {
    for (const part of ['query', ...('body' in valid ? ['body'] : [])]) {
      const [error] = errorsOf(name, withValue(valid, [part, 'surprise'], '1'));
      const kind = part === 'query' ? 'parameter' : 'field';
      expect(error).toMatchObject({
        pointer: '/surprise',
        detail: expect.stringContaining(`Unknown ${kind}: surprise.`),
      });
    }
  });
});

describe('an error message states which values are accepted', () => {
  const eventTypes =
    'asset.processing.completed, asset.processing.failed, asset.verdict.changed, submission.processing.finished';
  test.each<[RouteName, Path, unknown, string]>([
    [
      'createSubmission',
      ['query', 'simulationDelaySeconds'],
      '31',
      'simulationDelaySeconds must be an integer from 0 to 30.',
    ],
    ['createSubmission', ['body'], 'x', 'The body must be an object.'],
    ['createSubmission', ['body', 'assets'], [], 'assets must have 1 to 50 items.'],
    ['createSubmission', ['body', 'assets'], 'x', 'assets must be an array of 1 to 50 items.'],
    ['createSubmission', ['body', 'assets', 0, 'blobPath'], 1, 'assets[0].blobPath must be a string.'],
    [
      'createSubmission',
      ['body', 'assets', 0, 'filename'],
      'a',
      'Unknown field: assets[0].filename. Allowed: blobPath, previousSubmissionId.',
    ],
    ['createSubmission', ['body', 'sidekickIds', 0], 'x', 'sidekickIds[0] must be a UUID.'],
    [
      'createSubmission',
      ['body', 'metadata', 'assay', 'profile'],
      '',
      'metadata.assay.profile must be a string of 1 to 63 characters.',
    ],
    ['createSubmission', ['body', 'metadata', ''], 1, 'metadata[""] must have a key of 1 to 64 characters.'],
    [
      'createSubmission',
      ['headers', 'idempotency-key'],
      '',
      'Idempotency-Key must be a string of 1 to 255 characters.',
    ],
    ['createUploadUrl', ['body', 'filename'], undefined, 'filename is required.'],
    ['createUploadUrl', ['body', 'filename'], '', 'filename must be a non-empty string.'],
    ['createUploadUrl', ['body', 'contentSha256'], 'abc', 'contentSha256 must be 64 hexadecimal digits.'],
    ['createUploadUrl', ['body', 'fileName'], 'a', 'Unknown field: fileName. Did you mean filename?'],
    ['createSubscription', ['body', 'url'], 'x'.repeat(2049), 'url must be an https URL of up to 2,048 characters.'],
    ['createSubscription', ['body', 'eventTypes', 0], 'x', `eventTypes[0] must be one of: ${eventTypes}.`],
    [
      'createSubscription',
      ['body', 'description'],
      'a\0b',
      'description must not contain NUL characters or unpaired surrogates.',
    ],
    ['updateSubscription', ['body'], {}, 'The body must contain at least one field to change.'],
    ['updateSubscription', ['body', 'isActive'], 'x', 'isActive must be true or false.'],
    [
      'updateIssue',
      ['body', 'carriesOver'],
      true,
      'carriesOver can only be true if status is ACKNOWLEDGED or DISMISSED.',
    ],
    ['updateIssue', ['body', 'note'], 1, 'note must be a string of up to 2,000 characters.'],
    ['listIssues', ['query', 'severity'], ['x'], 'severity must be one of: CRITICAL, MAJOR, MINOR, INFO.'],
    [
      'listIssues',
      ['query', 'ruleCode'],
      Array.from({ length: 21 }, () => 'X'),
      'ruleCode can be repeated up to 20 times.',
    ],
    ['listIssues', ['query', 'limit'], '0', 'limit must be an integer from 1 to 1,000.'],
    ['getEvidence', ['params', 'n'], '0', 'n must be an integer from 1 to 999.'],
    ['getSubmission', ['params', 'submission_id'], 'x', 'submission_id must be a UUID.'],
    [
      'listSubmissions',
      ['query', 'createdAfter'],
      'x',
      'createdAfter must be a date and time in RFC 3339 format, such as 2026-01-05T09:30:00Z.',
    ],
  ])('for %s with %j set to %j', (name, path, value, detail) => {
    const status = path.includes('carriesOver') ? { status: 'OPEN' } : {};
    const valid = validRequest(routes[name]);
    const body = 'body' in valid && typeof valid.body === 'object' ? { body: { ...valid.body, ...status } } : {};
    const wrong = { ...valid, ...body };
    expect(errorsOf(name, withValue(wrong, path, value)).map((error) => error.detail)).toContain(detail);
  });
});

describe('a response with thousands of errors lists the first 100 and counts the rest', () => {
  const names = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`member${i}`, 1]));
  const refusalOf = (name: RouteName, part: Request) => {
    try {
      validators[name]?.({ ...validRequest(routes[name]), ...part });
    } catch (error) {
      return error as Refusal;
    }
    throw new Error('not refused');
  };

  test.each<[string, RouteName, Request]>([
    ['unknown fields', 'retryAsset', { body: names }],
    ['unknown parameters', 'getMe', { query: names }],
    [
      'invalid items',
      'replayDeliveries',
      { body: { since: '2026-01-05T00:00:00Z', eventTypes: Array(9000).fill('x') } },
    ],
  ])('for %s', (_, name, part) => {
    const { errors = [], omittedCount } = refusalOf(name, part);
    expect([errors.length, omittedCount]).toEqual([100, 8900]);
    for (const { detail } of errors) expect(detail).toMatch(/^\S.*[.?]$/);
  });
});
