import { publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { countingPostgres } from '../measure/statement-count.ts';
import { openSubmissionBench } from '../submissions/submission-bench.ts';
import { measureBesidePoison } from './beside-poison.ts';
import { measureBesideStreams, type Outcome } from './beside-streams.ts';

const settings = { windows: 5, streamSeconds: 10, streams: 5000, poisonSeconds: 60, poisonPerKind: 8 };

/** Measures how much slower other callers get while one caller keeps opening streams, or submits hostile files. */
export async function benchNeighbours(args: string[]): Promise<boolean> {
  const bench = await openSubmissionBench(countingPostgres);
  try {
    const outcomes = [await measureBesideStreams(bench, settings), await measureBesidePoison(bench, settings)];
    const text = [
      formatHead({
        title: 'What one caller costs the others',
        command: ['pnpm bench neighbours', ...args].join(' '),
        settings: `${settings.windows} pairs of windows, without and with the other caller`,
        versions: bench.versions,
      }),
      ...outcomes.map(formatOutcome),
    ].join('\n\n');
    publish(text, args, 'neighbours/neighbours.md');
    return outcomes.every(({ complaints }) => complaints.length === 0);
  } finally {
    await bench.close();
  }
}

function formatOutcome({ title, what, table, complaints }: Outcome): string {
  const verdict = complaints.length === 0 ? 'Reached.' : `Not reached: ${complaints.join('; ')}.`;
  return [`## ${title}`, what, verdict, table].join('\n\n');
}
