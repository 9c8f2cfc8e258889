/**
 * Approximates a function on 0 … 1 by a polynomial of this degree. Returns the coefficients of powers of t, which
 * ranges from −1 to 1, lowest first. The polynomial interpolates at the Chebyshev nodes, so the largest error is almost
 * minimal.
 */
export function fitCurve(curve: (value: number) => number, degree: number): number[] {
  const count = degree + 1;
  const nodes = Array.from({ length: count }, (_, i) => (Math.PI * (i + 0.5)) / count);
  const weightOf = (k: number) =>
    ((k === 0 ? 1 : 2) / count) *
    nodes.reduce((sum, angle) => sum + curve((1 + Math.cos(angle)) / 2) * Math.cos(k * angle), 0);
  const powers = new Array<number>(count).fill(0);
  let [before, latest] = [[0], [1]]; // coefficients of two consecutive Chebyshev polynomials
  for (let k = 0; k < count; k++) {
    const weight = weightOf(k);
    for (const [i, one] of latest.entries()) powers[i] = (powers[i] as number) + weight * one;
    const times = k === 0 ? 1 : 2;
    const next = [0, ...latest.map((one) => times * one)].map((one, i) => one - (k === 0 ? 0 : (before[i] ?? 0)));
    [before, latest] = [latest, next];
  }
  return powers;
}
