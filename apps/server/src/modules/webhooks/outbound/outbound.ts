import { answerBytesKeptMax, answerBytesReadMax } from '@assay/contract/limits.ts';
import type { AttemptErrorCode } from '@assay/contract/schemas/webhook.ts';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { BlockedHost, createResolve, UnknownHost, vetHost } from './vet-host.ts';

export type PostResult =
  | { status: number; body: string; retryAfter: string | undefined }
  | { errorCode: AttemptErrorCode; message: string };

/** The client for all requests to addresses that a caller chooses. */
export type Outbound = {
  /** Throws unless webhooks may be sent to the addresses to which the host of this URL currently resolves. */
  vet(url: string): Promise<void>;
  /** Rejects only if the signal is aborted. */
  post(url: string, headers: Record<string, string>, body: string, signal?: AbortSignal): Promise<PostResult>;
  close(): Promise<void>;
};

export type OutboundSettings = AddressRules & { timeoutMillis: number };

const connectMillisMax = 5000;
// Limits the time that a host with many unresponsive addresses can take.
const addressesTriedMax = 3;

export function openOutbound({ timeoutMillis, ...rules }: OutboundSettings): Outbound {
  const resolve = createResolve();
  const connect = buildConnector({ timeout: Math.min(connectMillisMax, timeoutMillis), maxCachedSessions: 100 });

  /**
   * Resolves and vets the host for every connection, and connects to a vetted address, because a second resolution
   * could return a different one. The TLS server name and the certificate check use the host of the URL.
   */
  const connectToVetted: buildConnector.connector = (options, callback) => {
    vetHost(options.hostname, rules, resolve).then(
      (addresses) => {
        const tryNext = ([address, ...rest]: string[]) =>
          connect({ ...options, hostname: address as string }, (...result) => {
            if (result[0] && rest.length > 0) tryNext(rest);
            else callback(...result);
          });
        tryNext(addresses.slice(0, addressesTriedMax));
      },
      (error) => callback(error, null),
    );
  };
  // This client follows no redirects and uses no proxy from the environment by default.
  const agent = new Agent({
    connect: connectToVetted,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    headersTimeout: timeoutMillis,
    bodyTimeout: timeoutMillis,
  });

  return {
    async vet(text) {
      const url = parseUrl(text, rules);
      await vetHost(url.hostname, rules, resolve);
    },
    async post(text, headers, body, stopSignal) {
      try {
        const url = parseUrl(text, rules); // the rules may have changed since the subscription was created
        const response = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Assay-Webhooks/1.0' },
          body,
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMillis), ...(stopSignal ? [stopSignal] : [])]),
        });
        const kept = await readLimited(response.body);
        const { 'retry-after': retryAfter } = response.headers;
        return { status: response.statusCode, body: kept, retryAfter: [retryAfter].flat()[0] };
      } catch (error) {
        stopSignal?.throwIfAborted();
        return describeFailure(error as Error & { code?: string });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Accepts https only, and in development also http to the same machine. */
function parseUrl(text: string, { isLoopbackAllowed }: AddressRules): URL {
  const url = URL.parse(text);
  if (!url) throw new BlockedHost('not a URL');
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isPlain = url.protocol === 'http:' && isLoopbackAllowed && isLocal;
  if (url.protocol !== 'https:' && !isPlain) throw new BlockedHost('not https');
  if (url.username || url.password) throw new BlockedHost('user info in the URL');
  if (url.hash) throw new BlockedHost('a fragment in the URL');
  return url;
}

// A response counts once it has a status, even if its body is cut off. The body only helps to find the cause of a
// failure, so a limited part of it is kept.
async function readLimited(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = [];
  let readBytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      readBytes += piece.length;
      if (readBytes >= answerBytesReadMax) break; // leaving the loop closes the connection
    }
  } catch {
    // The body was cut off or too slow: what has arrived is kept.
  }
  const kept = Buffer.concat(pieces).subarray(0, answerBytesKeptMax);
  // PostgreSQL cannot store NUL in text.
  return kept.toString('utf8').replaceAll('\0', '\uFFFD');
}

const tlsErrorCodes = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|EPROTO)/;
const timeoutErrorCodes = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function describeFailure(error: Error & { code?: string }): PostResult {
  if (error instanceof BlockedHost) {
    return {
      errorCode: 'blocked_address',
      message: 'The URL resolves to an address that webhooks are not allowed to reach.',
    };
  }
  if (error instanceof UnknownHost) return { errorCode: 'dns', message: 'The host name could not be resolved.' };
  if (error.name === 'TimeoutError' || timeoutErrorCodes.includes(error.code ?? '')) {
    return { errorCode: 'timeout', message: 'The receiver did not respond in time.' };
  }
  const code = error.code ?? error.name;
  if (tlsErrorCodes.test(code)) return { errorCode: 'tls', message: `The TLS connection failed (${code}).` };
  return { errorCode: 'connect', message: `The connection failed (${code}).` };
}
