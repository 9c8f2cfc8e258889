import { execFileSync } from 'node:child_process';
import { abortOnSignal, publish } from '../measure/conclude.ts';
import { formatHead } from '../measure/report.ts';
import { ordinaryFiles } from './files.ts';
import { formatOrdinary } from './format.ts';
import { isGood, scoreFiles } from './judge.ts';
import { runOrdinary } from './run.ts';

// A full run takes minutes on an idle host.
const hoursMax = 2;

/** Compares what the checks report on ordinary media with a reviewer's verdicts. */
export async function benchOrdinary(args: string[]): Promise<boolean> {
  const signal = AbortSignal.any([abortOnSignal(), AbortSignal.timeout(hoursMax * 3_600_000)]);
  const run = await runOrdinary(ordinaryFiles, signal, (line) => console.error(line));
  const head = formatHead({
    title: 'What the checks say about ordinary media',
    command: ['pnpm bench ordinary', ...args].join(' '),
    settings: `the default checks with the profile \`general\` on ${run.judged.length} files, compared with the verdict of a reviewer who looked at each file before any check ran (\`bench/ordinary/verdicts-*.ts\`)`,
    versions: { ffmpeg: execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2] ?? '' },
  });
  const text = [head, formatOrdinary(run)].join('\n\n');
  publish(text, signal.aborted ? [] : args, 'ordinary/ordinary.md');
  return !signal.aborted && run.failed.size === 0 && isGood(scoreFiles(run.judged));
}
