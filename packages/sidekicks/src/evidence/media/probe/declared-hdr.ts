import type { JsonObject } from '../json-report.ts';

/** HDR metadata of the container, in cd/m². HDR metadata in the video stream itself is not read. */
export type DeclaredHdr = {
  mastering: { primaries: MasteringPrimaries | null; luminanceMax: number | null; luminanceMin: number | null } | null;
  light: { maxCll: number | null; maxFall: number | null } | null;
};
export type MasteringPrimaries = 'bt709' | 'bt2020' | 'display-p3';

/** CIE 1931 xy of red, green and blue. */
const knownPrimaries: Record<MasteringPrimaries, readonly number[]> = {
  bt709: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06],
  bt2020: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046],
  'display-p3': [0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
};
/** Files store coordinates in steps of 0.00002 and some encoders round them more coarsely. */
const coordinateTolerance = 0.002;

/** Reads the side data of a stream in ffprobe's report. */
export function readDeclaredHdr(sides: readonly JsonObject[]): DeclaredHdr {
  const find = (pattern: RegExp) => sides.find(({ side_data_type: type }) => pattern.test(String(type)));
  const mastering = find(/^mastering display/i);
  const light = find(/^content light/i);
  return {
    mastering: mastering
      ? {
          primaries: primariesOf(
            ['red_x', 'red_y', 'green_x', 'green_y', 'blue_x', 'blue_y'].map((name) => parseFraction(mastering[name])),
          ),
          luminanceMax: parseFraction(mastering.max_luminance),
          luminanceMin: parseFraction(mastering.min_luminance),
        }
      : null,
    light: light ? { maxCll: parseFraction(light.max_content), maxFall: parseFraction(light.max_average) } : null,
  };
}

function primariesOf(coordinates: readonly (number | null)[]): MasteringPrimaries | null {
  const isNear = (known: readonly number[]) =>
    known.every((value, i) => Math.abs((coordinates[i] ?? -1) - value) <= coordinateTolerance);
  const names = Object.keys(knownPrimaries) as MasteringPrimaries[];
  return names.find((name) => isNear(knownPrimaries[name])) ?? null;
}

/** `34000/50000` → 0.68; a plain number is kept. */
function parseFraction(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const [numerator = Number.NaN, denominator = 1] = String(value).split('/').map(Number);
  const result = numerator / denominator;
  return Number.isFinite(result) ? result : null;
}
