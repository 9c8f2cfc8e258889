/**
 * How to call one endpoint. `curl` prints the response as it is. `cli` is the command that does the same; if it does
 * something else as well, a comment says so. verify/docs/samples.test.ts runs all of them.
 */
type Samples = { curl: string; ts: string; cli: string };

/** An endpoint without samples does not compile. */
export type SamplesOf<Routes> = Record<keyof Routes, Samples>;

/** The width of a page without scrolling in a window of 1280 pixels. */
export const columnsMax = 73;

/** A call of curl with the key; `rest` starts with its options or the URL. */
export function request(rest: string): string {
  const start = 'curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY"';
  const line = `${start} ${rest}`;
  return line.length > columnsMax ? `${start} \\\n  ${rest}` : line;
}

/** A complete TypeScript program: its imports, a client, the environment variables that the lines use, and the lines. */
export function program(lines: string, ...imports: string[]): string {
  const variables = new Set(lines.match(/\b[A-Z]+_[A-Z]+\b/g));
  const names = [...variables].map((name) => `${name} = ''`).join(', ');
  return [
    ...imports,
    "import { Assay } from '@assay/sdk';",
    '',
    'const assay = new Assay();',
    ...(names ? [`const { ${names} } = process.env;`] : []),
    '',
    lines.trim(),
  ].join('\n');
}
