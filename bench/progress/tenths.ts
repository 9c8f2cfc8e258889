/** What a caller saw, and when. */
export type Reading = { seconds: number; percent: number };

/** The percentage that was shown after each tenth of the whole time. */
export function percentsAtTenths(readings: Reading[], totalSeconds: number): { tenth: number; percent: number }[] {
  return Array.from({ length: 9 }, (_, i) => {
    const tenth = i + 1;
    const last = readings.filter(({ seconds }) => seconds <= (totalSeconds * tenth) / 10).at(-1);
    return { tenth, percent: last?.percent ?? 0 };
  });
}
