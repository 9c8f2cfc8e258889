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
  body?: z.ZodType | OneFile;
  success: { status: 200 | 201; description: string; body: z.ZodType };
  /** What it may refuse beside what every route may: see `commonRefusals`. */
  refusals: readonly RefusalCode[];
  examples: { request?: unknown; response: unknown };
  /** Members of the answer that another route takes in its body: name of the route, then its body by member. */
  links?: Record<string, Record<string, `$response.body#/${string}`>>;
};

/** Every route answers these, and `unsupported_request_media_type` where it takes a body; 402 and 429 have bodies of their own. */
export const commonRefusals = [
  'missing_api_key',
  'invalid_api_key',
  'internal_error',
  'service_unavailable',
] as const satisfies RefusalCode[];

export const prefixes = ['/api/integrations', '/api/v1/integrations'] as const;

export function isOneFile(body: Route['body']): body is OneFile {
  return body === oneFile;
}

export type BodyOf<R extends Route> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
export type SuccessOf<R extends Route> = z.input<R['success']['body']>;

export function refusalsOf(route: Route): RefusalCode[] {
  return [...commonRefusals, ...(route.body ? (['unsupported_request_media_type'] as const) : []), ...route.refusals];
}
