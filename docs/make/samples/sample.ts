/**
 * How to call one endpoint. `curl` prints the response as it is. `cli` is the command that does the same; if it does
 * something else as well, a comment says so. verify/docs/samples.test.ts runs all of them.
 */
type Samples = { curl: string; ts: string; cli: string };

/** An endpoint without samples does not compile. */
export type SamplesOf<Routes> = Record<keyof Routes, Samples>;

/** A complete TypeScript program: a client, the variables of the environment that it reads, and these lines. */
export function program(variables: string[], lines: string): string {
  const names = variables.map((name) => `${name} = ''`).join(', ');
  return [
    "import { Assay } from '@assay/sdk';",
    '',
    'const assay = new Assay();',
    ...(variables.length > 0 ? [`const { ${names} } = process.env;`] : []),
    '',
    lines.trim(),
  ].join('\n');
}
