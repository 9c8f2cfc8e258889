import { execFileSync } from 'node:child_process';
import { formatHead } from '../measure/report.ts';
import { abortOnSignal, keep, readMode } from '../measure/run-mode.ts';
import { ordinaryFiles, shortList } from './files.ts';
import { formatOrdinary } from './format.ts';
import { isGood, score } from './judge.ts';
import { runOrdinary } from './run.ts';

const full = { files: ordinaryFiles, marginShare: 0 };
const quick = { files: ordinaryFiles.filter(({ verdict }) => shortList.includes(verdict.file)), marginShare: 0 };

// A full run takes minutes on an idle machine.
const hoursMax = 2;

/** What the checks say about ordinary media, compared with the verdict of a reviewer. */
export async function benchOrdinary(args: string[]): Promise<boolean> {
  const { mode, isWritten } = readMode(args, { full, quick });
  const signal = AbortSignal.any([abortOnSignal(), AbortSignal.timeout(hoursMax * 3_600_000)]);
  const run = await runOrdinary(mode.files, signal, (line) => console.error(line));
  const head = formatHead({
    title: 'What the checks say about ordinary media',
    command: ['pnpm bench ordinary', ...args].join(' '),
    settings: `the default checks with the profile \`general\` on ${run.judged.length} files, compared with the verdict of a reviewer who looked at each file before any check ran (\`bench/ordinary/verdicts-*.ts\`)`,
    versions: { ffmpeg: execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2] ?? '' },
  });
  const text = [head, formatOrdinary(run)].join('\n\n');
  console.log(text);
  keep(text, isWritten && !signal.aborted, 'ordinary/ordinary.md');
  return !signal.aborted && run.failed.size === 0 && isGood(score(run.judged));
}
