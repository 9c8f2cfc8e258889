import { formatTable } from '@assay/testing/measure/table.ts';
import { alarmShareMax, incompleteShareMax, type JudgedFile, type Score, scoreFiles } from './judge.ts';
import type { OrdinaryRun } from './run.ts';

/** The report after its heading. */
export function formatOrdinary({ judged, skipped, failed }: OrdinaryRun): string {
  const clean = judged.filter(({ verdict }) => verdict.faults.length === 0);
  return [
    formatScore(scoreFiles(judged)),
    '## By rule',
    'Right: reports a fault. Noise: MAJOR or more that the reviewer does not see. Missed: a fault that the rule should report. Unexpected: MINOR issues that the reviewer would not have raised; nothing is required of them.',
    formatRules(judged),
    '## Noise',
    formatList(
      judged.flatMap(({ verdict, noise }) =>
        noise.map(
          ({ ruleCode, severity, summary }) =>
            `${verdict.file} (${verdict.looksLike}): ${severity} ${ruleCode}, ‘${summary}’`,
        ),
      ),
    ),
    '## Not examined',
    formatList(
      judged.flatMap(({ verdict, incomplete }) =>
        incomplete.map(({ ruleCode, summary }) => `${verdict.file} (${verdict.looksLike}): ${ruleCode}, ‘${summary}’`),
      ),
    ),
    '## Missed',
    formatList(
      judged.flatMap(({ verdict, missed }) =>
        missed.map(
          ({ rules, severityMin, why }) => `${verdict.file}: ${why}; ${rules.join(' or ')}, ${severityMin} or more`,
        ),
      ),
    ),
    '## Files',
    formatTable(
      ['recorded', 'packages', 'made'].map((origin) => {
        const among = judged.filter((one) => groupOf(one.origin) === origin);
        return {
          origin,
          files: String(among.length),
          clean: String(among.filter((one) => clean.includes(one)).length),
          'clean with MAJOR': String(among.filter((one) => clean.includes(one) && one.noise.length > 0).length),
          faults: String(among.reduce((sum, { verdict }) => sum + verdict.faults.length, 0)),
          missed: String(among.reduce((sum, { missed }) => sum + missed.length, 0)),
        };
      }),
    ),
    ...[...failed].map(([file, because]) => `Not finished: ${file}: ${because}`),
    ...(skipped.size > 0
      ? [`Not checked: ${[...skipped.keys()].join(', ')} (${[...new Set(skipped.values())].join('; ')}).`]
      : []),
  ].join('\n\n');
}

function formatScore({ clean, alarmed, share, incomplete, incompleteShare, faults, missed }: Score): string {
  return formatTable([
    {
      what: 'clean files with an issue of MAJOR or more',
      measured: `${alarmed} of ${clean} (${(100 * share).toFixed(1)} %)`,
      required: `at most ${100 * alarmShareMax} %`,
    },
    {
      what: 'clean files that were not examined as a whole',
      measured: `${incomplete} of ${clean} (${(100 * incompleteShare).toFixed(1)} %)`,
      required: `at most ${100 * incompleteShareMax} %`,
    },
    { what: 'missed faults', measured: `${missed} of ${faults}`, required: '0' },
  ]);
}

function formatRules(judged: readonly JudgedFile[]): string {
  const rows = new Map<string, { right: number; noise: number; missed: number; unexpected: number }>();
  const add = (rule: string, column: 'right' | 'noise' | 'missed' | 'unexpected') => {
    const row = rows.get(rule) ?? { right: 0, noise: 0, missed: 0, unexpected: 0 };
    row[column]++;
    rows.set(rule, row);
  };
  for (const one of judged) {
    for (const column of ['right', 'noise', 'unexpected'] as const)
      for (const { ruleCode } of one[column]) add(ruleCode, column);
    for (const { rules } of one.missed) add(rules[0] ?? '', 'missed');
  }
  return formatTable(
    [...rows]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([rule, { right, noise, missed, unexpected }]) => ({
        rule,
        right: String(right),
        noise: String(noise),
        missed: String(missed),
        unexpected: String(unexpected),
      })),
  );
}

function formatList(lines: string[]): string {
  return lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : 'None.';
}

function groupOf(origin: string): string {
  return origin === 'recorded' || origin === 'made' ? origin : 'packages';
}
