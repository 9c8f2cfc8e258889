import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuMicrosOfMachine } from '@assay/testing/measure/cpu-clock.ts';
import { median } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { checkOut, describeThis } from '#verify/resilience/upgrade/previous-version.ts';
import { conclude } from '../measure/conclude.ts';
import { formatRatios, type Ratio } from '../measure/ratio.ts';
import { formatHead, sliceFootnote } from '../measure/report.ts';
import { openVideos } from './videos.ts';

const run = promisify(execFile);
const sidekickNames = ['Captions', 'Loudness', 'Photosensitivity', 'Video and audio quality'];
const settings = { pairs: 5, seconds: 10 };

/** How much more CPU time than the earlier version this one may use, and two languages more than one. */
const required = { versions: 1.1, languages: 1.15 };

type Measured = { bare: number; before: number; now: number; twoLanguages: number };

/** Measures the CPU time of examining videos, alternating with an earlier version of this repository. */
export async function compareEvidence(revision: string, args: string[]): Promise<boolean> {
  const earlier = checkOut(revision);
  const { root, commit } = describeThis();
  const videos = openVideos();
  try {
    const ratios: Ratio[] = [];
    const rows: Record<string, string>[] = [];
    const files = [
      ...(await videos.ordinary(settings.seconds, 'native')),
      ...(await videos.ordinary(settings.seconds, 'full', 3)),
    ];
    const all: Measured[] = [];
    for (const [index, { name, path }] of files.entries()) {
      const twice = await videos.withTwoLanguages(path);
      const measured: Measured[] = [];
      for (let pair = 0; pair < settings.pairs; pair++) {
        measured.push({
          bare: await cpuSecondsOf('ffmpeg', ['-v', 'error', '-nostdin', '-i', path, '-f', 'null', '-']),
          before: await examine(earlier.root, path),
          now: await examine(root, path),
          twoLanguages: await examine(root, twice),
        });
      }
      all.push(...measured);
      const column = (key: keyof Measured) => median(measured.map((one) => one[key]));
      rows.push({
        video: `${name}${index >= files.length - 3 ? ', 1080p' : ''}`,
        'bare CPU s': column('bare').toFixed(2),
        [`${earlier.commit}, times bare`]: median(measured.map((one) => one.before / one.bare)).toFixed(2),
        'now, times bare': median(measured.map((one) => one.now / one.bare)).toFixed(2),
        'now / before': median(measured.map((one) => one.now / one.before)).toFixed(3),
        'two languages / one': median(measured.map((one) => one.twoLanguages / one.now)).toFixed(3),
      });
      console.error(Object.values(rows.at(-1) ?? {}).join('  '));
    }
    const compare = (name: string, values: number[], atMost: number) =>
      ratios.push({ name, values, median: median(values), required: 1 / atMost });
    compare(
      `CPU time of ${earlier.commit} / of this version`,
      all.map((one) => one.before / one.now),
      required.versions,
    );
    compare(
      'CPU time of one language / of two',
      all.map((one) => one.now / one.twoLanguages),
      required.languages,
    );
    const head = formatHead({
      title: 'What examining a video costs, compared with an earlier version',
      command: `pnpm bench evidence ${args.join(' ')}`,
      settings: `videos of ${settings.seconds} s with one stereo track, ${settings.pairs} pairs, CPU seconds of the machine`,
      versions: { before: earlier.commit, now: commit },
    });
    const text = [head, formatRatios(ratios, 'CPU time'), formatTable(rows), sliceFootnote].join('\n\n');
    return conclude(text, ratios, args, 'evidence/compared.md');
  } finally {
    videos.remove();
    earlier.remove();
  }
}

const examine = (root: string, path: string) =>
  cpuSecondsOf(process.execPath, [join(root, 'bench/evidence/examine-video.ts'), path, ...sidekickNames]);

/**
 * The CPU time of the machine while a program runs, so nothing else may run. The processes of a jail are not children
 * that the program waits for.
 */
async function cpuSecondsOf(program: string, args: string[]): Promise<number> {
  const before = cpuMicrosOfMachine();
  await run(program, args, { maxBuffer: 1e8 });
  return (cpuMicrosOfMachine() - before) / 1e6;
}
