/**
 * How to call one endpoint. `curl` prints the response as it is. `cli` is the command that does the same; if it does
 * anything else as well, a comment says so. verify/docs/samples.test.ts runs all samples.
 */
type Samples = { curl: string; ts: string; cli: string };

/** The samples of all endpoints: a missing endpoint does not compile. */
export type SamplesOf<Routes> = Record<keyof Routes, Samples>;

/** How many columns of code fit on a page without scrolling in a window of 1280 pixels. */
export const columnsMax = 73;

/** A curl command with the API key. `rest` starts with further options or the URL. */
export function curlCommand(rest: string): string {
  const start = 'curl -sS --fail-with-body -H "X-API-Key: $ASSAY_API_KEY"';
  const line = `${start} ${rest}`;
  return line.length > columnsMax ? `${start} \\\n  ${rest}` : line;
}

/** A complete TypeScript program with imports, a client, the environment variables that `lines` uses, and `lines`. */
export function tsProgram(lines: string, ...imports: string[]): string {
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
