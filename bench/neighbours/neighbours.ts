import { formatHead } from '../measure/report.ts';
import { keep, readMode } from '../measure/run-mode.ts';
import { countingPostgres } from '../measure/statement-count.ts';
import { openSubmissionBench } from '../submissions/submission-bench.ts';
import { besidePoison } from './beside-poison.ts';
import { besideStreams, type Outcome } from './beside-streams.ts';

const full = { windows: 5, streamSeconds: 10, streams: 5000, poisonSeconds: 60, poisonPerKind: 8, marginShare: 0 };
const quick = { windows: 1, streamSeconds: 5, streams: 500, poisonSeconds: 10, poisonPerKind: 2, marginShare: 0 };

/** How much slower other callers get while one caller keeps opening streams, or submits hostile files. */
export async function benchNeighbours(args: string[]): Promise<boolean> {
  const { mode, isWritten } = readMode(args, { full, quick });
  const bench = await openSubmissionBench(countingPostgres);
  try {
    const outcomes = [await besideStreams(bench, mode), await besidePoison(bench, mode)];
    const text = [
      formatHead({
        title: 'What one caller costs the others',
        command: ['pnpm bench neighbours', ...args].join(' '),
        settings: `${mode.windows} pairs of windows, without and with the other caller`,
        versions: bench.versions,
      }),
      ...outcomes.map(formatOutcome),
    ].join('\n\n');
    console.log(text);
    keep(text, isWritten, 'neighbours/neighbours.md');
    return outcomes.every(({ complaints }) => complaints.length === 0);
  } finally {
    await bench.close();
  }
}

function formatOutcome({ title, what, table, complaints }: Outcome): string {
  const verdict = complaints.length === 0 ? 'Reached.' : `Not reached: ${complaints.join('; ')}.`;
  return [`## ${title}`, what, verdict, table].join('\n\n');
}
