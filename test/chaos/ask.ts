import { type Answer, checkAnswer } from '../support/client.ts';

export type Asking = { method: string; path: string; apiKey: string; json?: unknown; form?: FormData; key?: string };

/** What came back, or why nothing did (status 0). */
export type Outcome = { status: number; body: Answer['body']; code?: string; breach?: string };

// Above every limit of the service itself, so that only what hangs is given up.
const answerMillisMax = 12_000;

/** One request to the service; the answer is held against the contract, also in the middle of a fault. */
export async function ask(baseUrl: string, { method, path, apiKey, json, form, key }: Asking): Promise<Outcome> {
  let answer: Answer;
  try {
    const response = await fetch(`${baseUrl}/api/integrations${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
      signal: AbortSignal.timeout(answerMillisMax),
    });
    const text = await response.text();
    answer = { status: response.status, headers: response.headers, body: parse(text) };
  } catch (error) {
    return { status: 0, body: undefined, code: causeOf(error) };
  }
  const { status, body } = answer;
  const code = status >= 400 ? { code: body?.code ?? String(status) } : {};
  try {
    checkAnswer(method, path, answer);
    return { status, body, ...code };
  } catch (error) {
    return { status, body, ...code, breach: (error as Error).message.slice(0, 500) };
  }
}

/** Bytes to a presigned URL, which is storage's own. */
export async function put(url: string, bytes: Uint8Array, contentType: string): Promise<Outcome> {
  try {
    const { status } = await fetch(url, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': contentType },
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(answerMillisMax),
    });
    return { status, body: undefined };
  } catch (error) {
    return { status: 0, body: undefined, code: causeOf(error) };
  }
}

/** Whether to ask the same again: nobody answered, something was away, or the request before is still under way. */
export function isUndecided({ status, code }: Pick<Outcome, 'status' | 'code'>): boolean {
  return status === 0 || status >= 500 || status === 429 || code === 'idempotency_in_flight';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the contract has something to say about it
  }
}

function causeOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return name === 'TimeoutError' ? 'timeout' : (cause?.code ?? cause?.message ?? message);
}
