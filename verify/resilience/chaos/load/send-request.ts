import { type ApiResponse, checkResponse } from '@assay/testing/service/client.ts';

export type RequestOptions = {
  method: string;
  path: string;
  apiKey: string;
  json?: unknown;
  form?: FormData;
  key?: string;
};

/** The response, or why there is none (status 0). */
export type Outcome = { status: number; body: ApiResponse['body']; code?: string; breach?: string };

// Longer than every time limit of the service, so that only hanging requests are given up.
const responseMillisMax = 12_000;

/** Sends one request to the service; the response is checked against the contract, even during a fault. */
export async function sendRequest(
  baseUrl: string,
  { method, path, apiKey, json, form, key }: RequestOptions,
): Promise<Outcome> {
  let response: ApiResponse;
  try {
    const received = await fetch(`${baseUrl}/api/integrations${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
      signal: AbortSignal.timeout(responseMillisMax),
    });
    const text = await received.text();
    response = { status: received.status, headers: received.headers, body: parse(text) };
  } catch (error) {
    return { status: 0, body: undefined, code: causeOf(error) };
  }
  const { status, body } = response;
  const code = status >= 400 ? { code: body?.code ?? String(status) } : {};
  try {
    checkResponse(method, path, response);
    return { status, body, ...code };
  } catch (error) {
    return { status, body, ...code, breach: (error as Error).message.slice(0, 500) };
  }
}

/** Uploads bytes to a presigned URL of the storage. */
export async function putFile(url: string, bytes: Uint8Array, contentType: string): Promise<Outcome> {
  try {
    const { status } = await fetch(url, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': contentType },
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(responseMillisMax),
    });
    return { status, body: undefined };
  } catch (error) {
    return { status: 0, body: undefined, code: causeOf(error) };
  }
}

/** Azure responds to a PUT with 201, S3 with 200. */
export const isStored = ({ status }: Pick<Outcome, 'status'>) => status === 200 || status === 201;

/**
 * Whether to repeat the request: no response, a server error, a rate limit, or an identical request that is still in
 * flight.
 */
export function isUndecided({ status, code }: Pick<Outcome, 'status' | 'code'>): boolean {
  return status === 0 || status >= 500 || status === 429 || code === 'idempotency_in_flight';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the contract check rejects it
  }
}

function causeOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return name === 'TimeoutError' ? 'timeout' : (cause?.code ?? cause?.message ?? message);
}
