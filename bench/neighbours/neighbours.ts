import { publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { countingPostgres } from '../measure/statement-count.ts';
import { openSubmissionBench } from '../submissions/submission-bench.ts';
import { measureBesideHostile } from './beside-hostile.ts';
import { measureBesideStreams, type Outcome } from './beside-streams.ts';
import { makeCostlySound, makeCostlyVideo, makePoison, makeTextBomb } from './hostile-files.ts';

const settings = { windows: 3, streamSeconds: 10, streams: 5000, hostileSeconds: 40, poisonPerKind: 8 };

/** Measures how much slower other callers get while one caller keeps opening streams, or submits hostile files. */
export async function benchNeighbours(args: string[]): Promise<boolean> {
  const bench = await openSubmissionBench(countingPostgres, { TOOL_MEMORY_MB: '1024' }); // as with 2 GiB
  try {
    const outcomes = [await measureBesideStreams(bench, settings)];
    await bench.start('worker');
    const all = ['documents', 'images', 'audio', 'short videos'] as const;
    for (const hostile of [
      {
        title: 'While another caller sends hostile files',
        files: await makePoison(settings.poisonPerKind),
        limited: ['documents', 'images'] as const,
      },
      { title: 'While another caller sends images that unpack to 2.9 GB', files: [await makeTextBomb()], limited: all },
      {
        title: 'While another caller sends videos and sound that take minutes',
        files: [await makeCostlyVideo(), await makeCostlySound()],
        limited: all,
      },
    ]) {
      const { windows, hostileSeconds: seconds } = settings;
      outcomes.push(await measureBesideHostile(bench, { windows, seconds }, hostile));
    }
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
