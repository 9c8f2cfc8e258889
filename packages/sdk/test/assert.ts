// The client tests run in every supported runtime, so they cannot use Vitest’s assertions.

export function ok(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`Assertion failed: ${what}`);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [received, wanted] = [actual, expected].map((value) => JSON.stringify(value) ?? 'undefined');
  ok(received === wanted, `${what}: expected ${wanted}, received ${received}`);
}

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** Requires that the promise rejects with an error of this class, and returns the error. */
export async function expectRejection<E extends Error>(promise: Promise<unknown>, kind: ErrorClass<E>): Promise<E> {
  const error = await rejectionOf(promise);
  ok(error instanceof kind, `expected ${kind.name}, received ${error}`);
  return error as E;
}

/** Requires that the promise rejects, and returns what it rejects with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected an error, received ${JSON.stringify(value)}`);
}
