import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const compressionBytesMin = 1024;
/** At this quality brotli is about as fast as gzip, and its output is smaller. */
const brotliQuality = 4;

/** The encoders by name of their encoding; the first one that the client accepts is used. */
const encoders: Record<string, (text: string) => Promise<Buffer>> = {
  br: (text) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: promisify(gzip) as (text: string) => Promise<Buffer>,
};

/** Compresses text responses over 1 KiB for clients that accept it, but no streams: their messages would be delayed. */
export function compressResponses(api: FastifyInstance): void {
  const constantResponses = new Map<string, Promise<Buffer>>();
  const encodeOnce = (name: string, url: string, encode: () => Promise<Buffer>) => {
    const known = constantResponses.get(`${name} ${url}`) ?? encode();
    constantResponses.set(`${name} ${url}`, known);
    return known;
  };
  api.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || Buffer.byteLength(payload) < compressionBytesMin) return payload;
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    const name = encodingFor(request, reply);
    const encode = name && encoders[name];
    if (!encode) return payload;
    reply.header('content-encoding', name).removeHeader('content-length');
    const { config, url = '' } = request.routeOptions;
    const isConstant = config.isConstant && reply.statusCode === 200;
    return isConstant ? encodeOnce(name, url, () => encode(payload)) : encode(payload);
  });
}

function encodingFor({ method, headers }: FastifyRequest, reply: FastifyReply): string | undefined {
  if (method === 'HEAD' || reply.hasHeader('content-encoding')) return undefined;
  return chooseEncoding(String(headers['accept-encoding'] ?? ''));
}

/**
 * Undefined if the client accepts none of these encodings. Split at single characters: a pattern such as `\s*;\s*`
 * takes time that grows with the square of the number of spaces.
 */
export function chooseEncoding(acceptEncoding: string): string | undefined {
  const accepted = new Set<string>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', quality = ''] = part.split(';', 2).map((text) => text.trim());
    if (!/^q=0(\.0*)?$/.test(quality)) accepted.add(name);
  }
  return Object.keys(encoders).find((name) => accepted.has(name));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is always the same text, so it is compressed once. */
    isConstant?: true;
  }
}
