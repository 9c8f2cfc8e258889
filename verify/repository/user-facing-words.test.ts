import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetFailures, retryAdvice } from '@assay/contract/asset-failures.ts';
import openapi from '@assay/contract/openapi.json' with { type: 'json' };
import { refusals } from '@assay/contract/refusals.ts';
import { root } from '@assay/testing/run/root.ts';
import { describe, expect, test } from 'vitest';

/** Words and phrases that readers had to learn first → the usual ones. Ordinary uses of `over`, `look` or `picture` are fine. */
const replaced: Record<string, [pattern: RegExp, usual: string]> = {
  anew: [/\banew\b/i, 'again'],
  cage: [/\bcag(e|es|ed)\b/i, 'jail'],
  'decided before': [/\bdecided before\b/i, 'precedents'],
  door: [/\bdoors?\b/i, 'request pipeline, API'],
  'durable story': [/\bstor(y|ies)\b/i, 'workflow'],
  fate: [/\bfates?\b/i, 'retention action'],
  film: [/\bfilm(s|ed)?\b/i, 'video'],
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

type Texts = [where: string, text: string][];

/** Where texts that people read come from. */
const sources: Record<string, () => Texts> = {
  'the OpenAPI document': () => stringsIn(openapi, ''),
  refusals: () => stringsIn(refusals, ''),
  'failures of assets': () => stringsIn({ assetFailures, retryAdvice }, ''),
  'the server': () => literalsOf('apps/server/src/{config,{access,http,issues,submissions,uploads,webhooks}/*}.ts'),
  'the error pages': () => literalsOf('docs/make/{advice,error-pages,refusal-list}.ts'),
  'the command line': () => literalsOf('apps/cli/src/**/!(styles*|script).ts'),
  sidekicks: () => literalsOf('packages/sidekicks/src/checks/**/*.ts'),
  documentation: () =>
    paragraphsOf(
      '{README,SECURITY,docs/{index,quickstart,guides/*,operate/{configuration,kubernetes,self-hosting,upgrade}}}.md',
    ),
};

describe('texts that people read use the usual words', () => {
  test.each(Object.entries(sources))('in %s', (_, read) => {
    const texts = read();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.flatMap(([where, text]) => faultsIn(text).map((fault) => `${where}: ${fault}`))).toEqual([]);
  });
});

function faultsIn(text: string): string[] {
  return Object.entries(replaced).flatMap(([word, [pattern, usual]]) =>
    pattern.test(text) ? [`"${word}" (usual: ${usual}) in: ${text.slice(0, 200)}`] : [],
  );
}

function stringsIn(value: unknown, where: string): Texts {
  if (typeof value === 'string') return [[where, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => stringsIn(inner, `${where}/${name}`));
}

function textsOf(pattern: string): Texts {
  const files = globSync(pattern, { cwd: root }).filter((file) => !/\.test\.ts$|\/(samples|test)\//.test(file));
  return files.map((file) => [file, readFileSync(join(root, file), 'utf8')]);
}

/** Paragraphs without code. */
function paragraphsOf(pattern: string): Texts {
  return textsOf(pattern).flatMap(([file, text]) =>
    text
      .replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '')
      .split(/\n+/)
      .map((paragraph): [string, string] => [file, paragraph]),
  );
}

/** Literals with a space, without what is interpolated: sentences, but no names, paths or codes. */
function literalsOf(pattern: string): Texts {
  return textsOf(pattern).flatMap(([file, text]) =>
    [...text.matchAll(/'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`|\/\/.*|\/\*[\s\S]*?\*\//g)]
      .map(([, quoted, template]) => (quoted ?? template ?? '').replaceAll(/\$\{[^{}]*\}/g, '…'))
      .filter((literal) => literal.includes(' '))
      .map((literal): [string, string] => [file, literal]),
  );
}
