/** Those who ask within so many milliseconds get one answer: anybody may ask, and each answer takes the parts' time. */
export function sharedFor<T>(millis: number, ask: () => Promise<T>): () => Promise<T> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  return () => {
    const now = performance.now();
    if (!answer || now - askedAt >= millis) {
      askedAt = now;
      answer = ask();
    }
    return answer;
  };
}
