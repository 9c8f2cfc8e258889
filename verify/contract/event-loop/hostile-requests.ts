import { randomUUID } from 'node:crypto';
import { isOneFile, positionParam, prefixes, type Route } from '@assay/contract/route.ts';
import { routes } from '@assay/contract/routes.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { hostileForms } from './hostile-forms.ts';
import type { HostileRequest, Target } from './hostile-request.ts';
import { headBytes, hostileTexts, pickInTurn, repeatToLength } from './hostile-texts.ts';
import { requestFields } from './request-fields.ts';

/** Resources that exist in the caller's workspace. */
export type ExistingResources = {
  /** Ids by path parameter. */
  ids: Record<string, string>;
  /** Required query parameters. */
  query: Record<string, string>;
  /** Maps values in the contract's examples to the values that replace them. */
  byExample: Record<string, string>;
};

/** Headers that the service or one of its libraries reads, each with the beginning of a usual value. */
const headers: Record<string, string> = {
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'access-control-request-method': 'GET',
  authorization: 'Bearer ',
  'content-encoding': 'identity',
  'content-type': 'multipart/form-data; boundary=x',
  cookie: 'a=1',
  forwarded: 'for=127.0.0.1',
  'idempotency-key': 'order-',
  'if-modified-since': 'Mon, 05 Jan 2026 09:30:00 GMT',
  'if-none-match': 'W/"7.1.processing.live"',
  'last-event-id': '7.3',
  origin: 'https://console.example.com',
  range: 'bytes=0-1',
  'user-agent': 'curl/8',
  'x-api-key': 'sk_test_',
  'x-forwarded-for': '127.0.0.1, ',
  'x-request-id': 'order-1042',
};

/**
 * Returns requests to a route, grouped by their hostile part. Texts in that part are as long and as slow to process as
 * possible.
 */
export function hostileRequests(route: Route, existing: ExistingResources): Record<string, HostileRequest[]> {
  // A deletion would remove what the other requests need.
  const ids = route.method === 'DELETE' ? {} : existing.ids;
  const fields = requestFields(route);
  const needed = Object.entries(existing.query).filter(([name]) => fields.query.includes(name));
  const query = needed.map(([name, value]) => `${name}=${value}`).join('&');
  const bare = { method: route.method, path: pathOf(route, ids) };
  const target = { ...bare, path: query ? `${bare.path}?${query}` : bare.path };
  const turn = Object.values<Route>(routes).indexOf(route);
  return {
    header: [...hostileHeaders(target, fields.headers), ...pickHostileHeaders(target, turn)],
    path: [...hostilePaths(route, ids, turn)],
    query: [...hostileQueries(bare, fields.query, needed, turn)],
    body: [...hostileBodies(target, fields.body, exampleOf(route, existing), turn)],
    form: isOneFile(route.body) ? [...hostileForms(target)] : [],
  };
}

/**
 * Yields a request for each hostile value in each of these headers; by default, in every header that the service reads.
 */
export function* hostileHeaders(target: Target, names = Object.keys(headers)): Generator<HostileRequest> {
  for (const name of names.map((one) => one.toLowerCase())) {
    for (const { name: text, inHeader } of hostileTexts) {
      if (inHeader === undefined) continue;
      const value = `${headers[name] ?? ''}${repeatToLength(inHeader, headBytes)}a`; // Node drops spaces at the end
      yield { ...target, what: `header ${name}: ${text}`, headers: { [name]: value } };
    }
  }
}

/**
 * Returns requests with one hostile value per header, a different one each turn, because all routes share the code that
 * reads headers.
 */
export function pickHostileHeaders(target: Target, turn: number): HostileRequest[] {
  return Object.keys(headers).flatMap((name, i) => pickInTurn([...hostileHeaders(target, [name])], 1, turn + i, 0));
}

function* hostilePaths(route: Route, ids: ExistingResources['ids'], turn: number): Generator<HostileRequest> {
  const { method } = route;
  for (const { name, inUrl } of pickInTurn(hostileTexts, 1, turn)) {
    const long = repeatToLength(inUrl, headBytes);
    for (const [, param = ''] of route.path.matchAll(/\{(\w+)\}/g)) {
      yield { what: `path ${param}: ${name}`, method, path: pathOf(route, { ...ids, [param]: long }) };
    }
    yield { what: `path that does not exist: ${name}`, method, path: `${pathOf(route, ids)}/${long}` };
  }
}

function* hostileQueries(
  target: Target,
  parameters: string[],
  needed: [name: string, value: string][],
  turn: number,
): Generator<HostileRequest> {
  const ask = (what: string, query: string, given?: string): HostileRequest => {
    const rest = needed.filter(([name]) => name !== given).map(([name, value]) => `&${name}=${value}`);
    return { ...target, what: `query ${what}`, path: `${target.path}?${query}${rest.join('')}` };
  };
  for (const { name: text, inUrl } of pickInTurn(hostileTexts, 1, turn)) {
    const long = repeatToLength(inUrl, headBytes);
    for (const name of parameters) yield ask(`${name}: ${text}`, `${name}=${long}`, name);
    yield ask(`unknown: ${text}`, `unknown=${long}`);
    yield ask(`name of a parameter: ${text}`, long);
  }
  for (const name of parameters) yield ask(`${name}, repeated`, repeatToLength(`${name}=a&`, headBytes), name);
  yield ask('many names', Array.from({ length: 2500 }, (_, i) => `a${i}`).join('&'));
  yield ask('only separators', repeatToLength('&', headBytes));
}

function pathOf(route: Route, ids: ExistingResources['ids']): string {
  const idOf = (name: string) => ids[name] ?? (name === positionParam ? '1' : randomUUID());
  return prefixes[0] + route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name));
}

function exampleOf(route: Route, { byExample }: ExistingResources): unknown {
  const json = JSON.stringify(route.examples.request ?? {});
  return JSON.parse(Object.entries(byExample).reduce((text, [from, to]) => text.replaceAll(from, to), json));
}
