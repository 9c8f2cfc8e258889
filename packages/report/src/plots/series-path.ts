export type Scale = { min: number; max: number };
type Values = readonly (number | null)[];

/** Height of the viewBox, which the page scales to the height of the row. */
export const pathHeight = 200;

/** A line through the values, interrupted where there is no value. */
export function linePath(values: Values, scale: Scale): string {
  let path = '';
  let last: number | null = null;
  let run = 0;
  const flush = () => {
    if (run > 0) path += `h${run}`;
    run = 0;
  };
  values.forEach((value, i) => {
    const y = value === null ? null : yOf(value, scale);
    if (y === null) flush();
    // A single value between two gaps is drawn one step long: its line would have length 0.
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
    const y = value === null ? pathHeight : yOf(value, scale);
    if (y !== last) {
      path += `${run > 0 ? `h${run}` : ''}v${y - last}`;
      run = 0;
    }
    last = y;
    run++;
  }
  return `${path}h${run}V${pathHeight}z`;
}

/** Distance from the top, rounded to whole units so that relative path segments add up exactly. */
function yOf(value: number, { min, max }: Scale): number {
  const share = (Math.min(max, Math.max(min, value)) - min) / (max - min);
  return Math.round(pathHeight * (1 - share));
}
