/** Whether `30000/1001` or `16:15` is the same number as another fraction. The integers in files have at most 32 bits. */
export function isSameFraction(a: string, b: string): boolean {
  const [x, y] = [parseFraction(a), parseFraction(b)];
  return x !== null && y !== null && x.numerator * y.denominator === y.numerator * x.denominator;
}

export function toNumber(fraction: string): number {
  const parsed = parseFraction(fraction);
  return parsed ? Number(parsed.numerator) / Number(parsed.denominator) : Number.NaN;
}

function parseFraction(text: string): { numerator: bigint; denominator: bigint } | null {
  const match = /^(\d{1,10})(?:[/:](\d{1,10}))?$/.exec(text);
  const denominator = BigInt(match?.[2] ?? 1);
  return match && denominator > 0n ? { numerator: BigInt(match[1] ?? 0), denominator } : null;
}
