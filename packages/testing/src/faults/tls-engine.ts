import { readFileSync } from 'node:fs';
import { connect, constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { listen } from '../run/listen.ts';
import type { Certificates } from './certificates.ts';

export type TlsEngine = {
  address: string;
  /** Paths of the calls that were forwarded to the engine, in order. */
  calls: string[];
  close(): void;
};

/** What the TLS endpoint requires of its clients. */
export type TlsEngineOptions = { clientCaFile?: string; apiKey?: string };

const unauthenticatedStatus = '16';

/**
 * A TLS endpoint like that of a hosted Temporal, in front of the Temporal at `target`. It can require a client
 * certificate or an API key.
 */
export async function openTlsEngine(
  target: string,
  { keyFile, certificateFile }: Certificates,
  { clientCaFile, apiKey }: TlsEngineOptions = {},
): Promise<TlsEngine> {
  const calls: string[] = [];
  const engine = connect(`http://${target}`);
  engine.on('error', () => {}); // calls fail in this case
  const server = createSecureServer({
    key: readFileSync(keyFile),
    cert: readFileSync(certificateFile),
    ...(clientCaFile && { ca: readFileSync(clientCaFile), requestCert: true, rejectUnauthorized: true }),
  });
  const sessions = new Set<{ destroy(): void }>([engine]);
  server.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => {}); // a client may disconnect at any time
  });
  server.on('stream', (near, headers) => {
    if (apiKey && headers.authorization !== `Bearer ${apiKey}`) return refuseCall(near);
    calls.push(String(headers[':path']));
    const far = engine.request(headers);
    for (const stream of [near, far]) stream.on('error', () => {});
    near.on('close', () => far.close());
    near.pipe(far);
    far.on('response', (response, flags) => {
      if (near.destroyed) return;
      const isWhole = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0; // a refused call has no body and no trailers
      near.respond(response, isWhole ? { endStream: true } : { waitForTrailers: true });
      far.pipe(near);
    });
    let trailers = {};
    far.on('trailers', (received) => {
      trailers = received;
    });
    near.on('wantTrailers', () => near.sendTrailers(trailers));
  });
  const port = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    calls,
    close() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

function refuseCall(call: ServerHttp2Stream): void {
  call.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': unauthenticatedStatus,
      'grpc-message': 'no valid key',
    },
    { endStream: true },
  );
}
