/** The electro-optical transfer function of SMPTE ST 2084: code from 0 to 1 → cd/m². */
export function pqLuminance(code: number): number {
  const [m1, m2, c1, c2, c3] = [2610 / 16384, (2523 / 4096) * 128, 3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];
  const power = code ** (1 / m2);
  return 10_000 * (Math.max(power - c1, 0) / (c2 - c3 * power)) ** (1 / m1);
}
