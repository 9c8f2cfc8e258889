import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '@assay/testing/measure/machine.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { bundleCode } from '@assay/testing/run/bundle-code.ts';
import { withTestStack } from '@assay/testing/service/with-test-stack.ts';
import { commandsPerSequence, type Outcome, type RunOptions, readRunOptions, runSequences } from './run-sequences.ts';
import { openService } from './service.ts';
import { findMissingResponses } from './tally.ts';

/**
 * `pnpm model`: 10,000 sequences of commands with a new seed, against a real service; `--write` writes a report file.
 * A failure prints how to repeat only that sequence, here or with `pnpm exec vitest run verify/contract/model`:
 *
 *     SEED=… PATH_='…' pnpm model
 *
 * SEQUENCES=… sets the number of sequences. After MINUTES=…, no further sequence is started.
 */

const reportFile = join(import.meta.dirname, 'report.md');
const logEvery = 250;

async function main(): Promise<boolean> {
  const options = readRunOptions({ sequenceCount: 10_000, seed: randomInt(2 ** 30) });
  bundleCode();
  return withTestStack('model', async (environment) => {
    const service = await openService(environment);
    try {
      const outcome = await runSequences(service, options, ({ sequenceCount, commandCount, seconds }) => {
        if (sequenceCount % logEvery > 0) return;
        console.log(`${sequenceCount} sequences, ${(commandCount / seconds).toFixed(0)} commands/s`);
      });
      return reportOutcome(options, outcome);
    } finally {
      await service.stop();
    }
  });
}

function reportOutcome(options: RunOptions, outcome: Outcome): boolean {
  const { usual, rare } = findMissingResponses(outcome.tally);
  const missing = [...usual, ...rare];
  const report = formatReport(options, outcome, missing);
  console.log(report);
  if (process.argv.includes('--write')) writeFileSync(reportFile, report);
  return outcome.failures.length === 0 && (options.path !== undefined || missing.length === 0);
}

function formatReport(
  options: RunOptions,
  { tally, sequenceCount, commandCount, seconds, failures }: Outcome,
  missing: string[],
) {
  const rate = (commandCount / seconds).toFixed(0);
  return `# Sequences of commands against a plain model

\`pnpm model --write\`, ${new Date().toISOString().slice(0, 10)}: seed ${options.seed}, ${sequenceCount} of ${options.sequenceCount} sequences of ${commandsPerSequence} commands.
Machine: ${describeMachine()}, with a load of ${loadavg()[2]?.toFixed(1)} over the last 15 minutes. ${commandCount} commands in ${(seconds / 60).toFixed(1)} min, ${rate}/s.

Failures: ${failures.length === 0 ? 'none.' : `\n\n${failures.map((text) => `\`\`\`\n${text}\n\`\`\``).join('\n\n')}`}
${missing.length === 0 ? 'Every required response occurred.' : `Responses that never or rarely occurred: ${missing.join('; ')}.`}

${formatTable(tally.rows())}
`;
}

process.exitCode = (await main()) ? 0 : 1;
