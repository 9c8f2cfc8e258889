import { hueLevelMin, type Light } from './light.ts';

export type RedLimits = {
  /** Share of red in the linear light of a saturated red. */
  redShareMin: number;
  /** Distance of two states in CIE 1976 u'v'. */
  chromaticityStep: number;
};

/** Of white, which stands for the chromaticity of what is too dark to have one. */
const white = { u: 0.1978, v: 0.4683 };

/** Pictures are compared where they lie: arguments are a picture's bytes and the place of a pixel's red in them. */
export type RedSense = {
  /** R' → the most that G' and B' may be each in a saturated red; −1 where it is too dark. A quick no for most pixels. */
  othersMax: Int16Array;
  isSaturated(rgb: Uint8Array, at: number): boolean;
  isFar(one: Uint8Array, other: Uint8Array, at: number): boolean;
};

export function createRedSense(light: Light, { redShareMin, chromaticityStep }: RedLimits): RedSense {
  const { linear, level, red, green, blue, toXyz } = light;
  const [[xr, xg, xb], [yr, yg, yb], [zr, zg, zb]] = toXyz;
  const othersShare = (1 - redShareMin) / redShareMin;
  const farSquared = chromaticityStep ** 2;
  const point = { u: 0, v: 0 };

  function levelOf(r: number, g: number, b: number): number {
    return level[(red[r] as number) + (green[g] as number) + (blue[b] as number)] as number;
  }

  function locate(rgb: Uint8Array, at: number): void {
    const isDark = levelOf(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number) < hueLevelMin;
    const r = linear[rgb[at] as number] as number;
    const g = linear[rgb[at + 1] as number] as number;
    const b = linear[rgb[at + 2] as number] as number;
    const x = xr * r + xg * g + xb * b;
    const y = yr * r + yg * g + yb * b;
    const z = zr * r + zg * g + zb * b;
    const sum = x + 15 * y + 3 * z;
    point.u = isDark ? white.u : (4 * x) / sum;
    point.v = isDark ? white.v : (9 * y) / sum;
  }

  return {
    othersMax: Int16Array.from(linear, (light, r) => {
      const most = linear.findLastIndex((other) => other <= othersShare * light);
      return levelOf(r, most, most) < hueLevelMin ? -1 : most;
    }),
    isSaturated(rgb, at) {
      const r = rgb[at] as number;
      const g = rgb[at + 1] as number;
      const b = rgb[at + 2] as number;
      const others = (linear[g] as number) + (linear[b] as number);
      return others <= othersShare * (linear[r] as number) && levelOf(r, g, b) >= hueLevelMin;
    },
    isFar(one, other, at) {
      locate(one, at);
      const { u, v } = point;
      locate(other, at);
      return (u - point.u) ** 2 + (v - point.v) ** 2 >= farSquared;
    },
  };
}
