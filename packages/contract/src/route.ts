import type { z } from 'zod';
import type { Bucket } from './limits.ts';
import type { RefusalCode } from './refusals.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A multipart/form-data body of exactly one file part named `file` (§4.2). */
export const oneFile = { multipart: 'file' } as const;
export type OneFile = typeof oneFile;

export type Route = {
  method: Method;
  /** Below the prefix, parameters in braces. */
  path: `/${string}`;
  bucket: Bucket;
  tag: string;
  summary: string;
  description: string;
  query?: z.ZodObject;
  /** A parameter of the query that only a sandbox key may send, whatever its value (§8.3). */
  sandboxQuery?: string;
  body?: z.ZodType | OneFile;
  /** §5e: a live key is refused. */
  isSandboxOnly?: true;
  /** Whether it may also come without its body. */
  isBodyOptional?: true;
  /** Whether it takes an `Idempotency-Key`. */
  isIdempotent?: true;
  /** Where what it made can be read, below the prefix; in braces members of the answer. */
  location?: `/${string}`;
  /** Whether the answer has a weak ETag, so that a poll without news is 304 and costs little. */
  hasEtag?: true;
  success:
    | { status: 200 | 201 | 202; description: string; body: z.ZodType }
    | { status: 204; description: string }
    | FileSuccess
    | StreamSuccess;
  /** What it may refuse beside what every route may: see `commonRefusals`. */
  refusals: readonly RefusalCode[];
  examples: { request?: unknown; response?: unknown };
  /** Members of the answer that another route takes: name of the route, then its body or parameters by member. */
  links?: Record<string, Link>;
};

/** Bytes of this type. */
export type FileSuccess = { status: 200; description: string; file: 'image/jpeg' };

/** A stream of server-sent events: the name of each message → its data. 204 tells a client that it has seen all. */
export type StreamSuccess = {
  status: 200;
  description: string;
  messages: Record<string, z.ZodType>;
  orNothing: string;
};
export type StreamMessage = { id: string; event: string; data: unknown };
/** Where a stream stands before its first message, so that whoever breaks off until then can go on from there. */
export type StreamPlace = { id: string };

type Expression = `$response.body#/${string}` | `$request.path.${string}`;
export type Link = { body?: Record<string, unknown>; parameters?: Record<string, Expression> };

/** Every route answers these; 402 and 429 have bodies of their own. */
export const commonRefusals = [
  'missing_api_key',
  'invalid_api_key',
  'validation_failed',
  'internal_error',
  'service_unavailable',
] as const satisfies RefusalCode[];

export const prefixes = ['/api/integrations', '/api/v1/integrations'] as const;

export function isOneFile(body: Route['body']): body is OneFile {
  return body === oneFile;
}

/** The one name in a path that is no uuid: the n-th of something, from 1. */
export const countingParam = 'n';

// `submission_id` in a path is `submissionId` in code.
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type ParameterIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Camel<Name> | ParameterIn<Rest>
  : never;
/** A uuid, or a number that counts from 1. */
export type ParamsOf<R extends Route> = {
  [Name in ParameterIn<R['path']>]: Name extends typeof countingParam ? number : string;
};
export type QueryOf<R extends Route> = R extends { query: z.ZodType } ? z.output<R['query']> : undefined;
export type BodyOf<R extends Route> = R['body'] extends z.ZodType
  ? z.output<R['body']> | (R extends { isBodyOptional: true } ? undefined : never)
  : undefined;
export type SuccessOf<R extends Route> = R['success'] extends { body: z.ZodType }
  ? z.input<R['success']['body']>
  : R['success'] extends StreamSuccess
    ? AsyncIterable<StreamMessage | StreamPlace> | undefined
    : R['success'] extends FileSuccess
      ? Uint8Array
      : undefined;

/** The names in the path's braces; each is a uuid, but for the one that counts. */
export function paramsOf(route: Route): { inPath: string; inCode: string }[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    inPath: name,
    inCode: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  }));
}

/** The names in the path's braces that lead to a resource. */
export function idParamsOf(route: Route): string[] {
  return paramsOf(route).flatMap(({ inPath }) => (inPath === countingParam ? [] : inPath));
}

export function refusalsOf(route: Route): RefusalCode[] {
  return [
    ...commonRefusals,
    ...(route.body ? (['unsupported_content_encoding'] as const) : []),
    ...(route.body ? ([isOneFile(route.body) ? 'unsupported_request_media_type' : 'request_too_large'] as const) : []),
    ...(route.isSandboxOnly ? (['sandbox_only'] as const) : []),
    ...(route.sandboxQuery ? (['simulation_needs_sandbox_key'] as const) : []),
    ...(route.isIdempotent ? (['idempotency_in_flight', 'idempotency_key_reused'] as const) : []),
    ...route.refusals,
  ];
}
