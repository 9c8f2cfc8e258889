// The walk runs wherever the client does, so it brings its own few assertions.

export function ok(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`It is not so: ${what}`);
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value) ?? 'undefined');
  ok(is === should, `${what} is ${should}, but ${is}`);
}

type ErrorClass<E> = abstract new (...args: never[]) => E;

/** What the promise rejects with, which is one of that class. */
export async function refused<E extends Error>(promise: Promise<unknown>, kind: ErrorClass<E>): Promise<E> {
  const error = await caught(promise);
  ok(error instanceof kind, `${kind.name} is thrown, but ${error}`);
  return error as E;
}

/** Whatever the promise rejects with. */
export async function caught(promise: Promise<unknown>): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`It should have failed, but gave ${JSON.stringify(answer)}`);
}
