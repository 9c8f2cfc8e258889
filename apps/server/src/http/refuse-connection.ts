import { randomUUIDv7 } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemTypeOf, type RefusalCode, refusals } from '@assay/contract/refusals.ts';

// Maps Node's error code for a connection without a request to a refusal. Any other code means an unparsable request.
const refusalByErrorCode: Record<string, RefusalCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'request_headers_too_large',
};

/** Answers on the raw connection, because there is no request yet or its body never arrived, and closes it. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = refusalByErrorCode[error.code ?? ''] ?? 'malformed_request';
  const { status, title, detail } = refusals[code];
  const requestId = randomUUIDv7();
  const problem = { type: problemTypeOf(code), title, status, detail, instance: '', code, requestId };
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
