import { idempotencyKeyCharactersMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { countingParam, isOneFile, paramsOf, type Route } from '@assay/contract/route.ts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readOneFile } from './one-file.ts';
import { refuseManyValues, validate } from './validate.ts';

/** Reads a request as its route describes it: 415 for the media type of an upload, then 422 for everything that is wrong at once. */
export function createReader(route: Route, prefix: string) {
  const params = paramsOf(route);
  const paramsSchema = z.object(
    Object.fromEntries(params.map(({ inPath }) => [inPath, inPath === countingParam ? count : id])),
  );
  const everything = z.object({
    ...(params.length > 0 && { params: paramsSchema }),
    query: (route.query ?? z.object({})).strict(),
    ...(route.isIdempotent && { headers: z.object({ 'idempotency-key': idempotencyKey }) }),
    ...(route.body && !isOneFile(route.body) && { body: route.isBodyOptional ? route.body.optional() : route.body }),
  });

  return async (request: FastifyRequest) => {
    refuseOtherMediaType(route, request);
    if (!isOneFile(route.body)) refuseManyValues(request.body);
    const read = validate(everything, request, Object.keys(route.query?.shape ?? {})) as Read;
    return {
      caller: request.caller,
      params: Object.fromEntries(params.map(({ inPath, inCode }) => [inCode, read.params?.[inPath]])),
      query: route.query && read.query, // part of the fingerprint of a request: the same over versions of the service
      body: read.body,
      idempotencyKey: read.headers?.['idempotency-key'],
      prefix,
      ifNoneMatch: request.headers['if-none-match'],
      ...(isOneFile(route.body) && { file: await readOneFile(request.raw) }),
    };
  };
}

type Read = {
  params?: Record<string, string | number>;
  query?: unknown;
  headers?: { 'idempotency-key': string | undefined };
  body?: unknown;
};

const id = z.guid().toLowerCase();
const count = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'Counts from 1.')
  .transform(Number);
const idempotencyKey = z.string().min(1).max(idempotencyKeyCharactersMax).optional();

function refuseOtherMediaType({ body }: Route, { headers }: FastifyRequest): void {
  if (!isOneFile(body)) return;
  const isMultipart = headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false;
  if (!isMultipart) throw new Refusal('unsupported_request_media_type');
}
