import { randomUUIDv7 } from 'node:crypto';
import { jsonBodyBytesMax } from '@assay/contract/limits.ts';
import { Refusal } from '@assay/contract/refusals.ts';
import { isOneFile, type Method, prefixes, type Route, type StreamMessage } from '@assay/contract/route.ts';
import { type RouteName, routeNames, routes } from '@assay/contract/routes.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import type { Call, Reply, TaggedResponse } from '#call/call.ts';
import type { Caller } from '#call/caller.ts';
import type { Handles } from '#platform/handles.ts';
import { createSemaphore } from '#platform/mechanisms/semaphore.ts';
import type { Authorizer, Credentials } from './authorize.ts';
import { allowOrigins } from './cors.ts';
import { endUnusedConnections } from './end-connections.ts';
import { RateLimited } from './limits/rate-limit.ts';
import { measureRequests } from './measure-requests.ts';
import type { Readiness } from './operations.ts';
import { refuseConnection } from './refuse-connection.ts';
import { renderRefusal } from './render-refusal.ts';
import { createReader } from './request/read-call.ts';
import { readJson } from './request/read-json.ts';
import { compressResponses } from './response/compress.ts';
import { serialiserOf } from './response/serialiser.ts';
import { writeEventStream } from './streams/event-stream.ts';
import { createStreams, type StreamLimits, type Streams } from './streams/streams.ts';

/** One handler per route: a missing handler is a compile error. */
export type Handlers = { [Name in RouteName]: (call: Call<Name>, handles: Handles) => Promise<Reply<Name>> };

// Each upload in progress holds buffers, so further uploads wait unread in their sockets. This does not delay hundreds
// of uploads that arrive together, because storage is the bottleneck. A workspace gets a share, whatever the number of
// its keys.
const filesAtOnceMax = 64;
const filesAtOncePerWorkspaceMax = 8;
/** The share of the time limit of a request that an upload may wait; then it is refused with 429. */
const fileWaitShareMax = 1 / 2;
const fileRetryMillis = 5000;

export type ApiSettings = {
  trustedProxies: string[];
  corsOrigins: string[];
  requestTimeoutSeconds: number;
  streams: StreamLimits;
};

export function createApi(
  handles: Handles,
  authorizer: Authorizer,
  handlers: Handlers,
  settings: ApiSettings,
  readiness: Readiness,
): FastifyInstance {
  const { log } = handles;
  const requestMillisMax = settings.requestTimeoutSeconds * 1000;
  const api = Fastify({
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']) ?? randomUUIDv7(),
    requestIdHeader: false,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    bodyLimit: jsonBodyBytesMax,
    routerOptions: {
      maxParamLength: 16 * 1024, // the longest request line, so that an invalid id of any length is refused with 422
      ignoreTrailingSlash: true,
    },
    // A slow request is ended with 408, wherever it stalls; by default Fastify waits for ever.
    // Node ignores a request timeout below its headers timeout, so both are set.
    requestTimeout: requestMillisMax,
    connectionTimeout: requestMillisMax,
    http: {
      requestTimeout: requestMillisMax,
      headersTimeout: Math.min(15_000, requestMillisMax),
      highWaterMark: 16 * 1024, // how much of a request is buffered before it is read
      connectionsCheckingInterval: Math.min(5000, requestMillisMax / 4),
    },
    keepAliveTimeout: 65_000,
    // While stopping, requests on kept-alive connections are still answered: only /readyz is 503.
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id); // no hook runs for framework errors
      renderRefusal(error, request as FastifyRequest, reply, log);
    },
  });
  api.removeContentTypeParser('text/plain');
  api.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
  api.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    readJson(body),
  );
  api.decorateRequest('caller', null as unknown as Caller);
  api.setErrorHandler((error: Error, request, reply) => renderRefusal(error, request, reply, log));

  measureRequests(api, handles.metrics);
  api.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  // Otherwise a kept-alive connection would keep the process running until it times out.
  api.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isStopping) reply.header('connection', 'close');
    done(null, payload);
  });

  compressResponses(api);
  allowOrigins(api, settings.corsOrigins);
  answerUnknownPaths(api);
  endUnusedConnections(api);
  const filePermits = createFilePermits(Math.floor(requestMillisMax * fileWaitShareMax));
  const streams = createStreams(api, settings.streams, ({ caller }) => authorizer.isStillValid(caller.actor.id));
  for (const prefix of prefixes) {
    for (const name of routeNames) mountRoute(api, prefix, name, handles, authorizer, handlers, filePermits, streams);
  }
  return api;
}

function mountRoute<Name extends RouteName>(
  api: FastifyInstance,
  prefix: string,
  name: Name,
  handles: Handles,
  authorizer: Authorizer,
  handlers: Handlers,
  filePermits: FilePermits,
  streams: Streams,
): void {
  const route: Route = routes[name];
  const handler = handlers[name] as (call: Call<Name>, handles: Handles) => Promise<Reply<Name>>;
  const readCall = createReader(route, prefix);
  const answerStream = async (request: FastifyRequest, reply: FastifyReply) => {
    const stream = streams.begin(request, reply);
    if (!stream) return reply.hijack(); // nobody is left to answer
    const call = { ...(await readCall(request)), stream } as unknown as Call<Name>;
    const messages = (await handler(call, handles)) as AsyncIterable<StreamMessage> | undefined;
    reply.header('cache-control', 'no-store');
    if (!messages) return reply.code(204).send();
    reply.type('text/event-stream').header('x-accel-buffering', 'no'); // a buffering proxy would hold back the messages
    const log = handles.log.child({ requestId: request.id, route: request.routeOptions.url });
    return reply.send(writeEventStream(messages, stream.signal, log));
  };
  api.route({
    method: route.method,
    url: prefix + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...('body' in route.success && serialisationOptions(route.success)),
    onRequest: async (request) => {
      request.caller = await authorizer.authorize(credentialsOf(route, request), request.ip, route.bucket);
      refuseMissingScope(route, request.caller);
      refuseLiveKey(route, request.caller);
      refuseSandboxQuery(route, request);
      refuseEncoding(request);
      // A body is read as JSON where JSON is expected, whatever its Content-Type: 415 is for files only.
      if (!isOneFile(route.body)) request.raw.headers['content-type'] = 'application/json';
    },
    handler: async (request, reply) => {
      if ('messages' in route.success) return answerStream(request, reply);
      const handle = async () => handler((await readCall(request)) as Call<Name>, handles);
      const response = await (isOneFile(route.body) ? filePermits.run(request.caller, handle) : handle());
      reply.code(route.success.status).header('cache-control', 'no-store');
      if ('file' in route.success) reply.type(route.success.file);
      if (route.hasEtag) return sendTagged(reply, response as TaggedResponse<unknown>);
      const body = route.isIdempotent ? unwrapIdempotent(reply, response as IdempotentResponse) : response;
      if (route.location)
        reply.header('location', prefix + fillTemplate(route.location, body as Record<string, unknown>));
      return body;
    },
  });
}

type FilePermits = { run<T>(caller: Caller, work: () => Promise<T>): Promise<T> };

function createFilePermits(waitMillisMax: number): FilePermits {
  const permits = createSemaphore(filesAtOnceMax);
  return {
    async run({ workspaceId }, work) {
      const signal = AbortSignal.timeout(waitMillisMax);
      const wanted = { key: workspaceId, perKeyMax: filesAtOncePerWorkspaceMax, signal };
      const release = await permits.acquire(wanted).catch(() => {
        throw new RateLimited(fileRetryMillis);
      });
      return work().finally(release);
    },
  };
}

/** Fastify uses a custom serialiser only where a schema is declared, so an empty one is declared. */
function serialisationOptions({ status, body }: { status: number; body: ZodType }) {
  return { schema: { response: { [status]: {} } }, serializerCompiler: () => serialiserOf(body) };
}

type IdempotentResponse = { response: unknown; isReplayed: boolean };

function unwrapIdempotent(reply: FastifyReply, { response, isReplayed }: IdempotentResponse): unknown {
  if (isReplayed) reply.header('idempotency-replayed', 'true');
  return response;
}

function sendTagged(reply: FastifyReply, { etag, response }: TaggedResponse<unknown>): unknown {
  reply.header('etag', etag);
  return response === undefined ? reply.code(304).send() : response;
}

function fillTemplate(template: string, members: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(members[name]));
}

function credentialsOf({ success }: Route, { headers, query }: FastifyRequest): Credentials {
  const { 'x-api-key': key } = headers;
  const { ticket, channel } = query as Record<string, unknown>;
  const isTicket = 'messages' in success && typeof ticket === 'string' && typeof channel === 'string';
  return { key: typeof key === 'string' ? key : undefined, ticket: isTicket ? { text: ticket, channel } : undefined };
}

function refuseMissingScope({ scope }: Route, { actor }: Caller): void {
  if (scope === null || actor.scopes.includes(scope)) return;
  const detail = `This endpoint requires the scope \`${scope}\`, which the API key lacks. GET /me lists the scopes of a key.`;
  throw new Refusal('insufficient_scope', { detail });
}

// §5e, §7i
function refuseLiveKey({ isSandboxOnly }: Route, { mode }: Caller): void {
  if (isSandboxOnly && mode === 'live') throw new Refusal('sandbox_only');
}

// §8.3, §5.5: refused with a live key whatever its value, before the body is read.
function refuseSandboxQuery({ sandboxQuery }: Route, { caller, query }: FastifyRequest): void {
  if (sandboxQuery && caller.mode === 'live' && sandboxQuery in (query as object)) {
    throw new Refusal('simulation_needs_sandbox_key');
  }
}

function refuseEncoding({ headers: { 'content-encoding': encoding } }: FastifyRequest): void {
  if (encoding && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_content_encoding');
}

/** The caller's own request ID, if it is safe in a log and a header. */
function requestIdOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined;
}

/** A known path with a method that it does not allow is 405 and lists the allowed ones; everything else is 404. */
function answerUnknownPaths(api: FastifyInstance): void {
  const known: { path: RegExp; method: Method }[] = [];
  api.addHook('onRoute', ({ url, method }) => {
    const path = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}/?$`);
    for (const one of [method].flat()) known.push({ path, method: one as Method });
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] as string;
    const allowed = known.filter((route) => route.path.test(path)).map((route) => route.method);
    if (allowed.length === 0) throw new Refusal('route_not_found');
    const list = allowed.join(', ');
    reply.header('allow', list);
    throw new Refusal('method_not_allowed', { detail: `Method not allowed. Allowed: ${list}.` });
  };
  // Refused in a hook, because Fastify would parse the body before it calls the not-found handler.
  api.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply);
    done();
  });
  api.setNotFoundHandler(refuse);
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}
