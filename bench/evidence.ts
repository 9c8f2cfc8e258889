import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { conclude, readEdition } from './edition.ts';
import type { FilmExamined } from './examine-film.ts';
import { openFilms } from './films.ts';
import { formatRatios, type Ratio } from './ratio.ts';
import { footnote, formatHead } from './report.ts';
import { median } from './statistics.ts';
import { formatTable } from './table.ts';

const run = promisify(execFile);
const all = ['Captions', 'Loudness', 'Photosensitivity', 'Picture and sound'];
const forSound = ['Loudness', 'Picture and sound'];
const memoryBytesMax = 400e6;

const full = { rounds: 2, seconds: 60, longSeconds: 600, lastingSeconds: 7200, marginShare: 0 };
// Of a film this short, what is done once for each film is a large part.
const quick = { rounds: 1, seconds: 10, longSeconds: 0, lastingSeconds: 0, marginShare: 0.45 };

/** What each check would run if it decoded for itself, with ffmpeg's own filters. */
const passes: Record<string, string[]> = {
  black: ['-an', '-vf', 'blackdetect'],
  freeze: ['-an', '-vf', 'freezedetect'],
  fields: ['-an', '-vf', 'idet'],
  levels: ['-an', '-vf', 'signalstats'],
  flashes: ['-an', '-vf', 'photosensitivity'],
  loudness: ['-vn', '-af', 'ebur128=peak=true'],
  silence: ['-vn', '-af', 'silencedetect,astats'],
};

/** What seeing and hearing costs beside bare decoding, and beside a pass for each check. */
export async function benchEvidence(args: string[]): Promise<boolean> {
  const { mode, isWritten } = readEdition(args, { full, quick });
  const films = openFilms();
  const rows: Record<string, string>[] = [];
  const ratios: Ratio[] = [];
  const memories: number[] = [];
  const note = (what: string, film: string, plays: number, seconds: number[], memoryBytes?: number) => {
    if (memoryBytes) memories.push(memoryBytes);
    rows.push({
      what,
      film,
      'wall s': median(seconds).toFixed(1),
      '× real time': (plays / median(seconds)).toFixed(1),
      'worker MB': memoryBytes ? (memoryBytes / 1e6).toFixed(0) : '',
    });
    console.error(`${what}, ${film}: ${seconds.map((one) => one.toFixed(1)).join(', ')} s`);
  };
  const require = (name: string, values: number[], required: number) =>
    ratios.push({ name, values, median: median(values), required: required * (1 - mode.marginShare) });

  try {
    /** In turns, as what disturbs one disturbs the other. */
    const beside = async (film: string, path: string, plays: number, rounds: number): Promise<number[]> => {
      const [bare, ours, memory]: [number[], number[], number[]] = [[], [], []];
      for (let round = 0; round < rounds; round++) {
        bare.push(await decodeBare(path));
        const examined = await examine(path, all);
        ours.push(examined.seconds);
        memory.push(examined.memoryBytesMax);
      }
      note('ffmpeg -f null', film, plays, bare);
      note('all four sidekicks', film, plays, ours, Math.max(...memory));
      return bare.map((seconds, i) => seconds / (ours[i] as number));
    };

    const name = `${mode.seconds} s`;
    const path = await films.film(mode.seconds);
    require(`decoding alone / all four, ${name}`, await beside(name, path, mode.seconds, mode.rounds), 1 / 1.5);
    const { seconds: oursSeconds } = await examine(path, all);
    const alone: number[] = [];
    for (const [check, filter] of Object.entries(passes)) {
      alone.push(await decodeBare(path, filter));
      note(`${check} alone`, name, mode.seconds, [alone.at(-1) as number]);
    }
    const sum = alone.reduce((total, seconds) => total + seconds, 0);
    require(`a pass per check / all four, ${name}`, [sum / oursSeconds], 3.5);

    const flashing = await films.flashing(mode.seconds);
    const flashingRatios = await beside(`${name}, a tenth flashes`, flashing, mode.seconds, 1);
    if (mode.longSeconds > 0) {
      const long = `${mode.longSeconds} s`;
      const longPath = await films.film(mode.longSeconds);
      require(`decoding alone / all four, ${long}`, await beside(long, longPath, mode.longSeconds, 1), 1 / 1.5);
    }
    const soundSeconds = 600;
    const heard = await examine(await films.sound(soundSeconds), forSound);
    note(
      'loudness, picture and sound',
      `${soundSeconds} s of sound`,
      soundSeconds,
      [heard.seconds],
      heard.memoryBytesMax,
    );
    require('sound: real time / 60', [soundSeconds / heard.seconds / 60], 1);
    if (mode.lastingSeconds > 0) {
      const lasting = await examine(await films.long(mode.lastingSeconds), all);
      const what = `${mode.lastingSeconds / 3600} h of 320 × 180, 5 a second`;
      note('all four sidekicks', what, mode.lastingSeconds, [lasting.seconds], lasting.memoryBytesMax);
    }
    require('400 MB / memory of the worker', memories.map((bytes) => memoryBytesMax / bytes), 1);

    const version = (await run('ffmpeg', ['-version'])).stdout.split(' ')[2]?.split('-')[0] ?? '';
    const head = formatHead({
      title: 'What seeing and hearing costs',
      command: ['pnpm bench evidence', ...args].join(' '),
      settings: `1080p at 25 pictures and 15 Mb a second, ${mode.rounds} rounds in turns`,
      versions: { ffmpeg: version, Node: process.versions.node },
    });
    const flashingNote = `Of the film of which a tenth flashes (and so is decoded and judged a second time in full size), decoding alone / all four is ${median(flashingRatios).toFixed(3)}, all four take ${(1 / median(flashingRatios)).toFixed(2)} times as long; nothing is required there.`;
    const text = [head, formatRatios(ratios, 'times'), flashingNote, formatTable(rows), footnote].join('\n\n');
    return conclude(text, ratios, { mode, isWritten, file: 'evidence.md' });
  } finally {
    films.remove();
  }
}

async function decodeBare(path: string, filter: string[] = []): Promise<number> {
  const beganAt = performance.now();
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-i', path, ...filter, '-f', 'null', '-'], { maxBuffer: 1e8 });
  return (performance.now() - beganAt) / 1000;
}

async function examine(path: string, names: string[]): Promise<FilmExamined> {
  const script = join(import.meta.dirname, 'examine-film.ts');
  return JSON.parse((await run(process.execPath, [script, path, ...names])).stdout) as FilmExamined;
}
