export type Scale = { min: number; max: number };
type Values = readonly (number | null)[];

/** Height in the units of the viewBox; the page scales it to the height of the row. */
export const pathHeight = 200;

/** A line through the middle of each step, interrupted where there is no value. */
export function linePath(values: Values, scale: Scale): string {
  let path = '';
  let last: number | null = null;
  let run = 0;
  const flush = () => {
    if (run > 0) path += `h${run}`;
    run = 0;
  };
  values.forEach((value, i) => {
    const y = value === null ? null : heightOf(value, scale);
    if (y === null) flush();
    // A single value between two gaps would be a line of length 0.
    else if (last === null) path += `M${i} ${y}${(values[i + 1] ?? null) === null ? 'h1' : ''}`;
    else if (y === last) run++;
    else {
      flush();
      path += `l1 ${y - last}`;
    }
    last = y;
  });
  flush();
  return path;
}

/** A filled step shape above the baseline. */
export function areaPath(values: Values, scale: Scale): string {
  let path = `M0 ${pathHeight}`;
  let last = pathHeight;
  let run = 0;
  for (const value of values) {
    const y = value === null ? pathHeight : heightOf(value, scale);
    if (y !== last) {
      path += `${run > 0 ? `h${run}` : ''}v${y - last}`;
      run = 0;
    }
    last = y;
    run++;
  }
  return `${path}h${run}V${pathHeight}z`;
}

/** Distance from the top in whole units, so that relative path segments add up exactly. */
function heightOf(value: number, { min, max }: Scale): number {
  const share = (Math.min(max, Math.max(min, value)) - min) / (max - min);
  return Math.round(pathHeight * (1 - share));
}
