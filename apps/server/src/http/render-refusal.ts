import type { IncomingMessage } from 'node:http';
import type { PlanRefusal, Problem, RateLimitRefusal } from '@assay/contract/answers.ts';
import { fieldErrorsMax } from '@assay/contract/limits.ts';
import { problemTypeOf, Refusal, refusals } from '@assay/contract/refusals.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform/log.ts';
import { Outage } from '#platform/outage.ts';
import { PlanRefused } from './authorize.ts';
import { RateLimited } from './limits/rate-limit.ts';

/** Turns any thrown error into a response. Callers see the text of a refusal, but of no other error. */
export function renderRefusal(error: Error, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (hasLongUnreadBody(request.raw)) {
    reply.header('connection', 'close');
    leaveBodyUnread(request.raw);
  }
  if (error instanceof PlanRefused) return renderPlanRefusal(error, reply);
  if (error instanceof RateLimited) return renderRateLimit(error, reply);

  const refusal = asRefusal(error);
  const { status, title, detail } = refusals[refusal.code];
  const isGone = request.raw.destroyed && !request.raw.complete;
  if (status >= 500 && !isGone) {
    log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a request failed');
  }
  const omitted = Math.max(0, (refusal.errors?.length ?? 0) - fieldErrorsMax) + refusal.omittedCount;
  const problem: Problem = {
    type: problemTypeOf(refusal.code),
    title,
    status,
    detail: refusal.detail ?? detail,
    instance: request.url.split('?', 1)[0] as string,
    code: refusal.code,
    requestId: request.id,
    ...(refusal.errors && { errors: refusal.errors.slice(0, fieldErrorsMax) }),
    ...(omitted > 0 && { errorsOmitted: omitted }),
  };
  return reply.code(status).type('application/problem+json').serializer(JSON.stringify).send(problem);
}

function asRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error;
  return error instanceof Outage ? new Refusal(error.code, { cause: error }) : toRefusal(error as FastifyError);
}

// To keep a connection alive, Node would read the rest of a refused body, however long it is.
function hasLongUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 64 * 1024);
}

// Node would close the connection at once. The unread bytes would then cause a reset, which a client that is still
// sending can receive before the response. So only our side is closed, and the client has a moment to read the response.
function leaveBodyUnread(request: IncomingMessage): void {
  request.read(0); // marks the body as handled; otherwise Node reads and discards all of it
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMillis).unref();
  };
}

const lingerMillis = 2000;

// §7: a 402 response has exactly these members.
function renderPlanRefusal(error: PlanRefused, reply: FastifyReply): FastifyReply {
  const body: PlanRefusal = {
    error_code: 'tier_not_authorized_for_integrations_api',
    message: 'The plan of this workspace does not include the integrations API. Ask your operator for another plan.',
    bucket: error.bucket,
  };
  return reply.code(402).type('application/json').serializer(JSON.stringify).send(body);
}

// §8.2: Retry-After is the only rate-limit header.
function renderRateLimit(error: RateLimited, reply: FastifyReply): FastifyReply {
  const body: RateLimitRefusal = { error: `Too many requests. Retry in ${error.retryAfterSeconds} s.` };
  reply.header('retry-after', error.retryAfterSeconds);
  return reply.code(429).type('application/json').serializer(JSON.stringify).send(body);
}

// Refusals by Fastify itself, before our code sees the request.
function toRefusal(error: FastifyError): Refusal {
  const malformed = (code: string, detail: string) =>
    new Refusal('validation_failed', { errors: [{ pointer: '', code, detail }], cause: error });
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_request_media_type', { cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('request_too_large', { cause: error });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return malformed('body_truncated', 'The body does not have the length given in Content-Length.');
    case 'FST_ERR_BAD_URL':
      return new Refusal('route_not_found', { cause: error });
    default:
      if (error.statusCode === 400) return malformed('invalid_json', 'The body is not valid JSON.');
      return new Refusal('internal_error', { cause: error });
  }
}
