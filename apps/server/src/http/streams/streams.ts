import { Refusal } from '@assay/contract/refusals.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Follower } from '#call/call.ts';
import { RateLimited } from '../limits/rate-limit.ts';

export type Streams = {
  /** Undefined if the client has already left. */
  begin(request: FastifyRequest, reply: FastifyReply): Follower | undefined;
};

export type StreamLimits = {
  perKeyMax: number;
  perProcessMax: number;
  ageMillisMax: number;
  /** How often the key of an open stream is checked. */
  recheckMillis: number;
};

const streamEndMillisMax = 2000;
/** When a key with too many open streams may try again, because one of them may have ended by then. */
const retryAfterMillis = 10_000;

/** A stream ends when it is finished or too old, its client disconnects, its key is invalid, or the service stops. */
export function createStreams(
  api: FastifyInstance,
  limits: StreamLimits,
  isStillValid: (request: FastifyRequest) => Promise<boolean>,
): Streams {
  const open = new Map<AbortController, FastifyReply>();
  const openByKey = new Map<string, number>();
  api.addHook('preClose', (done) => {
    for (const [stream, { raw }] of open) {
      // Otherwise a kept-alive connection, or a client that does not read, would keep the process running.
      const { socket } = raw;
      raw.once('finish', () => socket?.destroySoon());
      setTimeout(() => socket?.destroy(), streamEndMillisMax).unref();
      stream.abort();
    }
    done();
  });

  const count = (keyId: string, more: 1 | -1) => {
    const now = (openByKey.get(keyId) ?? 0) + more;
    if (now > 0) openByKey.set(keyId, now);
    else openByKey.delete(keyId);
  };

  return {
    begin(request, reply) {
      // The client may leave while its key is checked. `close` is not emitted again, so its stream would never end.
      if (reply.raw.destroyed) return undefined;
      const { id: keyId } = request.caller.actor;
      if ((openByKey.get(keyId) ?? 0) >= limits.perKeyMax) throw new RateLimited(retryAfterMillis);
      if (open.size >= limits.perProcessMax) throw new Refusal('service_unavailable', { internal: 'streams' });
      const stream = new AbortController();
      open.set(stream, reply);
      count(keyId, 1);
      const oldAge = setTimeout(() => stream.abort(), limits.ageMillisMax); // the client reconnects and resumes
      const recheck = setInterval(async () => {
        if (!(await isStillValid(request))) stream.abort();
      }, limits.recheckMillis);
      reply.raw.once('close', () => {
        clearTimeout(oldAge);
        clearInterval(recheck);
        open.delete(stream);
        count(keyId, -1);
        stream.abort();
      });
      if (request.method === 'HEAD') stream.abort();
      const { 'last-event-id': lastEventId } = request.headers;
      return { lastEventId: [lastEventId].flat()[0], signal: stream.signal };
    },
  };
}
