import type { z } from 'zod';
import type { Bucket } from './limits.ts';
import type { RefusalCode } from './refusals.ts';
import type { AuditAction, Role, Scope } from './rights.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A multipart/form-data body of exactly one file part named `file` (§4.2). */
export const oneFile = { multipart: 'file' } as const;
export type OneFile = typeof oneFile;

export type Route = {
  method: Method;
  /** The path below the prefix, with parameters in braces. */
  path: `/${string}`;
  bucket: Bucket;
  /** What a key needs; null if every key may call the route. */
  scope: Scope | null;
  /** What a person needs. */
  role: Role;
  /** What the call changes, as the audit log names it; null for reads, uploads and new submissions. */
  audit: AuditAction | null;
  tag: string;
  summary: string;
  description: string;
  query?: z.ZodObject;
  /** A query parameter that is refused with a live key, whatever its value (§8.3). */
  sandboxQuery?: string;
  body?: z.ZodType | OneFile;
  /** §5e: a live key is refused. */
  isSandboxOnly?: true;
  /** Whether the body can be left out. */
  isBodyOptional?: true;
  /** Whether the route accepts an `Idempotency-Key`. */
  isIdempotent?: true;
  /** Path of the created resource below the prefix, with fields of the response in braces. */
  location?: `/${string}`;
  /** Whether the response has a weak ETag, so that polling an unchanged resource is a cheap 304. */
  hasEtag?: true;
  success:
    | { status: 200 | 201 | 202; description: string; body: z.ZodType }
    | { status: 204; description: string }
    | FileSuccess
    | StreamSuccess;
  /** Refusals of this route, in addition to `commonRefusals`. */
  refusals: readonly RefusalCode[];
  examples: { request?: unknown; response?: unknown };
  /** Routes that accept fields of this response, by name, with the body or parameters that are filled from it. */
  links?: Record<string, Link>;
};

/** A response that is a file of this type. */
export type FileSuccess = { status: 200; description: string; file: 'image/jpeg' };

/** An event stream: message name → schema of its data. A 204 tells a client that it has received everything. */
export type StreamSuccess = {
  status: 200;
  description: string;
  messages: Record<string, z.ZodType>;
  orNothing: string;
};
export type StreamMessage = { id: string; event: string; data: unknown };
/** The position before a stream’s first message, from which a client can resume that received no message. */
export type StreamPosition = { id: string };

type LinkExpression = `$response.body#/${string}` | `$request.path.${string}`;
export type Link = { body?: Record<string, unknown>; parameters?: Record<string, LinkExpression> };

/** The refusals of every route, except 402 and 429, which have bodies of their own. */
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

/** The only path parameter that is not a UUID: the position of an item, counted from 1. */
export const positionParam = 'n';

// `submission_id` in a path is `submissionId` in code.
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? CamelCase<Name> | ParameterNames<Rest>
  : never;
/** The path parameters with their types: a number for `positionParam`, and the text of a UUID for all others. */
export type ParamsOf<R extends Route> = {
  [Name in ParameterNames<R['path']>]: Name extends typeof positionParam ? number : string;
};
export type QueryOf<R extends Route> = R extends { query: z.ZodType } ? z.output<R['query']> : undefined;
export type BodyOf<R extends Route> = R['body'] extends z.ZodType
  ? z.output<R['body']> | (R extends { isBodyOptional: true } ? undefined : never)
  : undefined;
export type SuccessOf<R extends Route> = R['success'] extends { body: z.ZodType }
  ? z.input<R['success']['body']>
  : R['success'] extends StreamSuccess
    ? AsyncIterable<StreamMessage | StreamPosition> | undefined
    : R['success'] extends FileSuccess
      ? Uint8Array
      : undefined;

/** The names of the path parameters, as in the path and in code. */
export function paramsOf(route: Route): { inPath: string; inCode: string }[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    inPath: name,
    inCode: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  }));
}

/** The path parameters that are UUIDs. */
export function idParamsOf(route: Route): string[] {
  return paramsOf(route).flatMap(({ inPath }) => (inPath === positionParam ? [] : inPath));
}

export function refusalsOf(route: Route): RefusalCode[] {
  return [
    ...commonRefusals,
    ...(route.body ? (['unsupported_content_encoding'] as const) : []),
    ...(route.body ? ([isOneFile(route.body) ? 'unsupported_request_media_type' : 'request_too_large'] as const) : []),
    ...(route.scope ? (['insufficient_scope'] as const) : []),
    ...(route.isSandboxOnly ? (['sandbox_only'] as const) : []),
    ...(route.sandboxQuery ? (['simulation_needs_sandbox_key'] as const) : []),
    ...(route.isIdempotent ? (['idempotency_in_flight', 'idempotency_key_reused'] as const) : []),
    ...route.refusals,
  ];
}
