import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Follower } from '../access/caller.ts';

export type Streams = { begin(request: FastifyRequest, reply: FastifyReply): Follower };

const streamEndMillisMax = 2000;

/** A stream lasts until it is over, the client leaves, or we stop. */
export function createStreams(api: FastifyInstance): Streams {
  const open = new Map<AbortController, FastifyReply>();
  api.addHook('preClose', (done) => {
    for (const [stream, { raw }] of open) {
      // Kept for another request, or by a client that does not read, its connection would hold the process.
      const { socket } = raw;
      raw.once('finish', () => socket?.destroySoon());
      setTimeout(() => socket?.destroy(), streamEndMillisMax).unref();
      stream.abort();
    }
    done();
  });
  return {
    begin(request, reply) {
      const stream = new AbortController();
      open.set(stream, reply);
      reply.raw.once('close', () => {
        open.delete(stream);
        stream.abort();
      });
      if (request.method === 'HEAD') stream.abort();
      const { 'last-event-id': lastEventId } = request.headers;
      return { lastEventId: [lastEventId].flat()[0], signal: stream.signal };
    },
  };
}
