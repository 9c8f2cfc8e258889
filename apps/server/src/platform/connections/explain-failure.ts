// Matched against messages and codes of Node, pg, gRPC and the engine's worker library (rustls). Alerts
// are sent by the server, so an alert is about the certificate of this client. The first match applies.
const reasons: readonly [pattern: RegExp, reason: string][] = [
  [/alert.*certificate.?required/i, 'the server requires a client certificate: set its files'],
  [
    /alert.*(bad.?certificate|certificate.?(expired|revoked|unknown)|unknown.?ca|handshake.?failure)/i,
    'the server refused the client certificate: check that it is set, valid and signed by a CA that the server trusts',
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired|InvalidCertificate\(Expired/i,
    "the server's certificate has expired: renew it",
  ],
  [/CERT_NOT_YET_VALID|NotValidYet/i, "the server's certificate is not valid yet: check the clocks"],
  [
    /ALTNAME_INVALID|does not match certificate's altnames|NotValidForName/i,
    "the server's certificate is for another host: connect to a name or address that it contains",
  ],
  [
    /SELF_SIGNED|self.signed certificate|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|unable to (get local issuer|verify the first)|CERT_SIGNATURE_FAILURE|certificate signature failure|UnknownIssuer|BadSignature/i,
    "the server's certificate is not signed by a trusted CA: check the CA file",
  ],
  [
    /WRONG_VERSION_NUMBER|wrong version number|packet length too long|does not support SSL|InvalidContentType|CorruptMessage/i,
    'the server does not use TLS on this port',
  ],
  [/UNAUTHENTICATED|Unauthenticated|valid authentication credentials/, 'the server refused the API key or found none'],
  [/PERMISSION_DENIED|does not have permission/i, 'the server does not grant access to the namespace'],
  [/DEADLINE_EXCEEDED|Timeout expired|timeout|timed out/i, 'no answer in time'],
];

/** Says why a connection failed, and what to do if its certificates are the cause. */
export function explainFailure(error: unknown): string {
  const texts = textsOf(error);
  for (const [pattern, reason] of reasons) if (texts.some((text) => pattern.test(text))) return reason;
  return texts.at(-1) ?? 'unknown';
}

/** Code and message of the error, then of its causes. */
function textsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [String(error)];
  const { code } = error as { code?: unknown };
  const own = typeof code === 'string' && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return [own, ...inner.flatMap(textsOf)];
}
