import { matchesGlob } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { files, isProduction, sources, textOf } from './sources.ts';

/**
 * Invented words and metaphors, each with the usual words for it. Ordinary uses of `over`, `look` or `picture` are
 * fine.
 */
const usualWords: Record<string, [pattern: RegExp, usual: string]> = {
  anew: [/\banew\b/i, 'again'],
  cage: [/\bcag(e|es|ed)\b/i, 'jail'],
  'decided before': [/\bdecided before\b/i, 'precedents'],
  door: [/\bdoors?\b/i, 'request pipeline, API'],
  'durable story': [/\bstor(y|ies)\b/i, 'workflow'],
  fate: [/\bfates?\b/i, 'retention action'],
  film: [/(?<!\bGeneric )\bfilm(s|ed)?\b/i, 'video'],
  finding: [/\bfindings?\b/i, 'issue'],
  furnish: [/\bfurnish/i, 'provision'],
  'grown by': [/\bgrown by\b/i, 'extended with'],
  house: [/\bhouses?\b/i, 'delivery profile, codebase'],
  'in the night': [/\bin the night\b/i, 'nightly'],
  'is over': [/\b(is|are|was|were) over(?=[.,:;!]|$| already| and )/im, 'is finished'],
  lend: [/\blen(d|ds|t)\b/i, 'pass'],
  lies: [/\blies\b/i, 'is'],
  'looked at': [/\blooked at\b|\bwho looked\b|\b(nobody|sidekick) (has )?look(s|ed)\b/i, 'checked'],
  mend: [/\bmend(s|ed|ing)?\b/i, 'fix'],
  'moving picture': [/\bmoving pictures?\b/i, 'video'],
  nameless: [/\bnameless\b/i, 'anonymous'],
  'a person has to decide': [/\bperson (has to|must) decide\b/i, 'needs review'],
  rehearse: [/\brehears/i, 'simulate'],
  room: [/\brooms\b|\b(a|the|this|each|every) room\b/i, 'module'],
  'small edition': [/\bsmall edition\b/i, 'short run'],
  stands: [/\bstands\b(?! (for|out)\b)|\bstand (in|below|first|here|on)\b/i, 'is'],
};

const pathPatterns = {
  'the server': 'apps/server/src/**',
  'the command line': 'apps/cli/src/**',
  'the contract': 'packages/contract/src/**',
  'the report': 'packages/report/src/**/!(styles*|script).ts',
  'the SDK': 'packages/sdk/src/**',
  'the sidekicks': 'packages/sidekicks/src/**',
  'generated pages': 'docs/make/**',
  'pages written by hand': '{README,SECURITY,SUPPORT,{apps,packages}/*/README,docs/{*,guides/*,operate/*}}.md',
};
const checkedFiles = [
  ...sources.filter((file) => isProduction(file) || file.startsWith('docs/')),
  // Pages about the code may use the name of a type, such as `Finding`.
  ...files.filter((file) => /\.md$(?<!^docs\/(architecture|glossary|style)\.md)/.test(file)),
];

test.each(Object.entries(pathPatterns))(
  'the texts of %s contain no invented word or metaphor that has a usual replacement',
  (_, pattern) => {
    const read = checkedFiles.filter((file) => matchesGlob(file, pattern));
    const pieces = read.flatMap((file) => piecesOf(file).map((piece): [string, string] => [file, piece]));
    expect(pieces.length).toBeGreaterThan(0);
    const faults = pieces.flatMap(([file, piece]) =>
      Object.entries(usualWords)
        .filter(([, [pattern]]) => pattern.test(piece))
        .map(([word, [, usual]]) => `${file}: "${word}" (usual: ${usual}) in: ${piece.slice(0, 200)}`),
    );
    expect(faults).toEqual([]);
  },
);

/**
 * Returns the lines of a page without its code or, for a source file, the literals that contain a space, except SQL.
 */
function piecesOf(file: string): string[] {
  const text = textOf.get(file) ?? '';
  if (file.endsWith('.md')) return text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '').split(/\n+/);
  const found: string[] = [];
  new Visitor({
    Literal: ({ value }) => typeof value === 'string' && found.push(value),
    TemplateElement: ({ value }) => found.push(value.cooked ?? ''),
    JSXText: ({ value }) => found.push(value),
  }).visit(parseSync(file, text).program);
  return found.filter((literal) => literal.includes(' ') && !/insert into|do update set/.test(literal));
}
