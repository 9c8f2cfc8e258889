import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../bench/machine.ts';
import { formatTable } from '../../bench/table.ts';
import { runStep, type StepResult } from '../gate/step.ts';
import { formatSummary, isGreen } from '../gate/summary.ts';
import { suiteRow } from './format-suites.ts';
import { type Suite, suites } from './suites.ts';

/**
 * The full-size suites, one after another; their commands write the reports. Parts of names select suites:
 * `.ci/nightly poison 'pipeline bench'`. The report is written after each suite, so that an interrupted run keeps its
 * results.
 */
const reportFile = join(import.meta.dirname, 'report.md');
const asked = process.argv.slice(2);
const chosen = suites.filter(({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)));
if (chosen.length === 0) throw new Error(`Unknown suite. Suites: ${suites.map(({ name }) => name).join(', ')}.`);

const results = new Map<Suite, StepResult>();
for (const suite of chosen) {
  console.log(`\n== ${suite.name} (${results.size + 1} of ${chosen.length})`);
  results.set(suite, await runStep(suite, true));
  if (asked.length === 0) writeFileSync(reportFile, formatReport());
}
console.log(formatSummary([...results.values()], false));
process.exitCode = isGreen([...results.values()], false) ? 0 : 1;

function formatReport(): string {
  const rows = suites.map((suite) => {
    const result = results.get(suite);
    return {
      ...suiteRow(suite),
      minutes: result ? (result.time.wallSeconds / 60).toFixed(1) : '',
      outcome: result ? describeOutcome(result) : 'not run',
    };
  });
  const failures = [...results.values()].flatMap(({ outcome }) => [...outcome.failures, ...outcome.skips]);
  return `# Full-size suites

\`.ci/nightly\`, ${new Date().toISOString().slice(0, 10)}, ${describeMachine()}. ${results.size} of ${suites.length} suites were run.

${formatTable(rows)}

${failures.length === 0 ? 'Nothing failed.' : `Failed or skipped:\n\n${failures.map((text) => `- ${text.replaceAll(/\s+/g, ' ')}`).join('\n')}`}
`;
}

function describeOutcome({ outcome: { passed, failures, skips } }: StepResult): string {
  return `${passed} passed, ${failures.length + skips.length} failed`;
}
