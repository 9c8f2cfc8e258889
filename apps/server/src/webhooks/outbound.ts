import { answerBytesKeptMax, answerBytesReadMax } from '@assay/contract/limits.ts';
import type { AttemptErrorCode } from '@assay/contract/webhook.ts';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { BlockedHost, createResolve, UnknownHost, vetHost } from './vet-host.ts';

export type Posted =
  | { status: number; body: string; retryAfter: string | undefined }
  | { errorCode: AttemptErrorCode; message: string };

/** The one way out: everything that is sent to an address of a caller's choice goes through here. */
export type Outbound = {
  /** Throws unless webhooks may be sent to this URL as its name is resolved now. */
  vet(url: string): Promise<void>;
  post(url: string, headers: Record<string, string>, body: string): Promise<Posted>;
  close(): Promise<void>;
};

export type OutboundSettings = AddressRules & { timeoutMillis: number };

const connectMillisMax = 5000;
// Whoever gives out a hundred silent addresses does not keep us connecting for minutes.
const addressesTriedMax = 3;

export function openOutbound({ timeoutMillis, ...rules }: OutboundSettings): Outbound {
  const resolve = createResolve();
  const connect = buildConnector({ timeout: Math.min(connectMillisMax, timeoutMillis), maxCachedSessions: 100 });

  /**
   * For every connection, whatever led to it: the host is looked up and vetted here, and the connection goes to an
   * address that was vetted. Who resolves the name a second time may get another answer. Name and certificate stay
   * those of the URL.
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
  // No redirect is followed, and no proxy is taken from the environment: this client does neither of its own accord.
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
    async post(text, headers, body) {
      try {
        const url = parseUrl(text, rules); // the rules may have changed since it was taken
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Assay-Webhooks/1.0' },
          body,
          signal: AbortSignal.timeout(timeoutMillis),
        });
        const kept = await readSome(answer.body);
        const { 'retry-after': retryAfter } = answer.headers;
        return { status: answer.statusCode, body: kept, retryAfter: [retryAfter].flat()[0] };
      } catch (error) {
        return describeFailure(error as Error & { code?: string });
      }
    },
    close: () => agent.destroy(),
  };
}

/** https alone; http for a receiver on the developer's own machine. */
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

// A status is all that is waited for: an answer that has one counts, however it goes on. The rest is for people who
// look for what went wrong, and so bounded.
async function readSome(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = [];
  let readBytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      readBytes += piece.length;
      if (readBytes >= answerBytesReadMax) break; // leaving the loop ends the connection
    }
  } catch {
    // Cut off or too slow: what came is kept.
  }
  const kept = Buffer.concat(pieces).subarray(0, answerBytesKeptMax);
  // What the database cannot hold as text.
  return kept.toString('utf8').replaceAll('\0', '\uFFFD');
}

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_|EPROTO)/;
const timeoutCodes = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function describeFailure(error: Error & { code?: string }): Posted {
  if (error instanceof BlockedHost) {
    return { errorCode: 'blocked_address', message: 'The URL leads to an address that webhooks are not sent to.' };
  }
  if (error instanceof UnknownHost) return { errorCode: 'dns', message: 'The host name could not be resolved.' };
  if (error.name === 'TimeoutError' || timeoutCodes.includes(error.code ?? '')) {
    return { errorCode: 'timeout', message: 'The receiver did not answer in time.' };
  }
  const code = error.code ?? error.name;
  if (tlsCodes.test(code)) return { errorCode: 'tls', message: `No secure connection could be made (${code}).` };
  return { errorCode: 'connect', message: `The connection failed (${code}).` };
}
