// These tests run in every runtime of the client, so they cannot use the assertions of vitest.

export function ok(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`Assertion failed: ${what}`);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [received, wanted] = [actual, expected].map((value) => JSON.stringify(value) ?? 'undefined');
  ok(received === wanted, `${what}: expected ${wanted}, received ${received}`);
}

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** The error that the promise rejects with, which must be of this class. */
export async function refused<E extends Error>(promise: Promise<unknown>, kind: ErrorClass<E>): Promise<E> {
  const error = await caught(promise);
  ok(error instanceof kind, `expected ${kind.name}, received ${error}`);
  return error as E;
}

/** The value that the promise rejects with. */
export async function caught(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected an error, received ${JSON.stringify(value)}`);
}
