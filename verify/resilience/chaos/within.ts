/** Fails if the work takes longer. The work itself goes on: the caller ends the process. */
export async function within<T>(millisMax: number, what: string, work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} did not end within ${millisMax / 1000} s`)), millisMax);
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
