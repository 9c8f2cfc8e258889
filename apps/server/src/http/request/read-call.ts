import { idempotencyKeyCharactersMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { isOneFile, paramsOf, positionParam, type Route } from '@assay/contract/route.ts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readOneFile } from './one-file.ts';
import { createValidator } from './validate.ts';

/** Reads a request as its route describes it: 415 for the media type of an upload, then 422 with all errors. */
export function createReader(route: Route, prefix: string) {
  const params = paramsOf(route);
  const validate = createValidator(requestOf(route));

  return async (request: FastifyRequest) => {
    refuseOtherMediaType(route, request);
    const read = validate(request) as ValidatedRequest;
    return {
      caller: request.caller,
      params: Object.fromEntries(params.map(({ inPath, inCode }) => [inCode, read.params?.[inPath]])),
      // Part of the request's fingerprint, so it must be the same in all versions of the service.
      query: route.query && read.query,
      body: read.body,
      idempotencyKey: read.headers?.['idempotency-key'],
      prefix,
      ifNoneMatch: request.headers['if-none-match'],
      silentMillisMax: request.server.initialConfig.connectionTimeout,
      ...(isOneFile(route.body) && { file: await readOneFile(request.raw) }),
    };
  };
}

/** The schema of all parts of a request, so that one refusal lists everything that is invalid. */
export function requestOf(route: Route) {
  const params = paramsOf(route).map(({ inPath }) => [
    inPath,
    inPath === positionParam ? positionParameter : idParameter,
  ]);
  return z.object({
    ...(params.length > 0 && { params: z.object(Object.fromEntries(params)) }),
    query: (route.query ?? z.object({})).strict(),
    ...(route.isIdempotent && { headers: z.object({ 'idempotency-key': idempotencyKey }) }),
    ...(route.body && !isOneFile(route.body) && { body: route.isBodyOptional ? route.body.optional() : route.body }),
  });
}

type ValidatedRequest = {
  params?: Record<string, string | number>;
  query?: unknown;
  headers?: { 'idempotency-key': string | undefined };
  body?: unknown;
};

const idParameter = z.guid().toLowerCase();
const positionParameter = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be an integer from 1 to 999.')
  .transform(Number);
const idempotencyKey = z.string().min(1).max(idempotencyKeyCharactersMax).optional();

function refuseOtherMediaType({ body }: Route, { headers }: FastifyRequest): void {
  if (!isOneFile(body)) return;
  const isMultipart = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false;
  if (!isMultipart) throw new Refusal('unsupported_request_media_type');
}
