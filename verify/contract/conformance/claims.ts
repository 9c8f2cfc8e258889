import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { decisions } from './decisions.ts';
import { type Statement, statements } from './statements.ts';

/** A test whose title names the statement it guards. */
export type Claim = { id: string; file: string; title: string };

const titlePattern =
  /\b(?:test|describe)(?:\.concurrent)?(?:\.each(?:\([\s\S]*?\)|`[\s\S]*?`))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const testsShownMax = 3;
const statementMark = /§(\d+(?:\.\d+)?[a-z]|D\d+)\b/g;

/** All test titles that name statements, in all test files. */
export function readClaims(): Claim[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts*'], {
    cwd: root,
    encoding: 'utf8',
  });
  return files
    .split('\n')
    .filter(Boolean)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(titlePattern)].flatMap(([, , title = '']) =>
        [...title.matchAll(statementMark)].map(([, id = '']) => ({ id, file, title: plainTitle(title) })),
      );
    });
}

function plainTitle(title: string): string {
  return title
    .replaceAll(/\s*\((?:§[\w.]+(?:, )?)+\)/g, '')
    .replaceAll(/\$\{[^}]*\}|%[sjid]/g, '…')
    .replaceAll(/\$(\w+)/g, '$1')
    .trim();
}

export function isOpenStatement(statement: Statement | undefined): statement is { open: string } {
  return typeof statement === 'object';
}

function formatCell(tests: string[]): string {
  const more = tests.length - testsShownMax;
  const shown = [...tests.slice(0, testsShownMax), ...(more > 0 ? [`and ${more} more`] : [])];
  return shown.join('<br>').replaceAll('|', '\\|');
}

/** docs/conformance.md, generated from the statements and the tests that name them. */
export function describeConformance(claims: Claim[]): string {
  const testsOf = (id: string) => {
    const tests = claims.filter((claim) => claim.id === id).map(({ file, title }) => `\`${file}\`: ${title}`);
    return formatCell([...new Set(tests)]);
  };
  const rows = Object.entries(statements).map(([id, statement]) =>
    isOpenStatement(statement)
      ? `| §${id} | ${statement.open} | **open** |`
      : `| §${id} | ${statement} | ${testsOf(id)} |`,
  );
  const openCount = Object.values(statements).filter(isOpenStatement).length;
  return [
    '# Conformance',
    '',
    'What the integration interface requires, in our words, and the tests that guard it. `pnpm conformance` generates this',
    'page from the test titles; a statement without a test fails the tests.',
    '',
    `${rows.length} statements, ${rows.length - openCount} tested, ${openCount} open.`,
    '',
    '| Section | Statement | Guarded by |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '## Decisions',
    '',
    'What we decided where the interface is open, and what client developers can rely on.',
    '',
    '| Number | Decision | Guarded by |',
    '| --- | --- | --- |',
    ...Object.entries(decisions).map(([id, decision]) => `| ${id} | ${decision} | ${testsOf(id)} |`),
    '',
  ].join('\n');
}
