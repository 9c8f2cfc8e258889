import { prefixes } from '@assay/contract/route.ts';
import type { FastifyInstance } from 'fastify';

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-API-Key, X-Request-Id',
  'access-control-max-age': 7200,
};
const exposedHeaders = 'ETag, Idempotency-Replayed, Location, Retry-After, X-Request-Id';

/**
 * Lets pages of these origins call the API. Browser credentials are never allowed: only an API key or a ticket is.
 * Without origins no CORS header is sent, so a browser refuses every page.
 */
export function allowOrigins(api: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  api.addHook('onRequest', (request, reply, done) => {
    if (!prefixes.some((prefix) => request.url.startsWith(prefix))) return done();
    reply.header('vary', 'Origin');
    const { origin, 'access-control-request-method': askedMethod } = request.headers;
    if (!origin || !origins.includes(origin)) return done();
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposedHeaders);
    if (request.method !== 'OPTIONS' || !askedMethod) return done();
    reply.code(204).headers(preflightHeaders).send();
  });
}
