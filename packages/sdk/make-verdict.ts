import { readFileSync } from 'node:fs';

const contractFile = (name: string) => readFileSync(new URL(`../contract/src/${name}`, import.meta.url), 'utf8');

/** What `verdict.ts` imports from the contract, and what replaces it here. */
const replacements: [imported: string, replacement: string][] = [
  ["import type { CheckOutcome } from './schemas/coverage.ts';", "type CheckOutcome = Check['outcome'];"],
  ["import type { IssueStatus } from './schemas/issue.ts';", "type IssueStatus = Issue['status'];"],
  [
    "import { type Severity, severities } from './schemas/severity.ts';",
    contractFile('schemas/severity.ts').replace(/^\/\/.*\n/gm, ''),
  ],
];

/** The source of the function that judges assets: that of the contract, so that every client judges as the service does. */
export function makeVerdictSource(): string {
  const source = contractFile('verdict.ts').replace(/^\/\/ No schemas .*\n/m, '');
  const text = replacements.reduce((before, [imported, replacement]) => {
    if (!before.includes(imported)) throw new Error(`packages/contract/src/verdict.ts no longer has: ${imported}`);
    return before.replace(imported, () => replacement.trim());
  }, source);
  if (/^import /m.test(text))
    throw new Error('packages/contract/src/verdict.ts imports more than make-verdict.ts knows');
  return [
    '// Generated from the contract by `pnpm sdk-wire`.',
    "import type { Check, Issue } from './wire.generated.ts';",
    text,
  ].join('\n\n');
}
