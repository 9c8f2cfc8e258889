import { formatCount } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { type Fact, preferFirstReader } from './facts.ts';
import { listLabels } from './mask.ts';
import { remedyFor } from './remedy.ts';
import type { RuleCode } from './rules.ts';

/** Patterns of paths that name a user, drive or server, and the text shown. Quantifiers are bounded against ReDoS. */
const pathPatterns: [RegExp, string][] = [
  [/(?<![a-z0-9])[a-z]:[\\/]{1,2}(?:users|documents and settings)[\\/]{1,2}[^\\/\r\n]{1,100}/i, 'C:\\Users\\…'],
  // Needs at least one folder that is not part of every Windows installation.
  [
    /(?<![a-z0-9])[a-z]:[\\/]{1,2}(?!windows\b|program files|programdata\b)[^\\/:*?"<>|\r\n]{1,100}[\\/]{1,2}[^\\/:*?"<>|\r\n]/i,
    'D:\\…',
  ],
  [/(?<![\\\w:])\\\\[\w.$-]{1,64}\\[^\\/:*?"<>|\s]/, '\\\\…\\…'],
  [/(?:^|[\s"'=(,;[]|file:\/\/(?:localhost)?)\/Users\/(?!Shared\/)[^/\s"<>]{1,100}\//i, '/Users/…'],
  [/(?:^|[\s"'=(,;[]|file:\/\/(?:localhost)?)\/home\/[^/\s"<>]{1,100}\//i, '/home/…'],
  [
    /(?:^|[\s"'=(,;[]|file:\/\/(?:localhost)?)\/(?:root|Volumes\/[^/"<>]{1,100}|media\/[^/\s"<>]{1,100})\/[^\s]/i,
    '/Volumes/…',
  ],
];

/** Reports metadata with a path on the computer on which the file was made. */
export function judgePaths(all: readonly Fact[]): Finding<RuleCode>[] {
  const found = all.flatMap((fact) => {
    const shown = pathPatterns.find(([path]) => path.test(fact.value))?.[1];
    return shown ? [{ fact, shown }] : [];
  });
  const facts = preferFirstReader(found.map(({ fact }) => fact));
  const [first] = facts;
  if (!first) return [];
  const shown = found.find(({ fact }) => fact === first)?.shown ?? '';
  return [
    certainFinding('META-FILE-PATH', {
      subject: 'file path',
      summary: `Contains a file path: ‘${shown}’ (${listLabels(facts.map(({ label }) => label))}). ${remedyFor(facts, all)}`,
      severityReasoning: `Path with a user name, a drive or a server in ${formatCount(facts.length, 'tag')}`,
      measured: facts.length,
      limit: 0,
      unit: 'tags',
    }),
  ];
}
