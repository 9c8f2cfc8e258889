import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const bytesMin = 1024;
/** About as fast as gzip, and smaller. */
const brotliQuality = 4;

/** Name of an encoding → its encoder; the first that the client accepts is used. */
const encoders: Record<string, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip) as (text: string) => Promise<Buffer>,
};

/** Compresses text responses over 1 KiB for clients that accept it. A stream is never compressed: its messages would be delayed. */
export function compressAnswers(api: FastifyInstance): void {
  api.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || Buffer.byteLength(payload) < bytesMin) return payload;
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const name = encodingFor(request, reply);
    const encode = name && encoders[name];
    if (!encode) return payload;
    reply.header('content-encoding', name).removeHeader('content-length');
    return encode(payload);
  });
}

function encodingFor({ method, headers }: FastifyRequest, reply: FastifyReply): string | undefined {
  if (method === 'HEAD' || reply.hasHeader('content-encoding')) return undefined;
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ''))
    .map(([name]) => name);
  return Object.keys(encoders).find((name) => accepted.includes(name));
}
