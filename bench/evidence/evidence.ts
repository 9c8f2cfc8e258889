import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { median } from '@assay/testing/measure/statistics.ts';
import { formatTable } from '@assay/testing/measure/table.ts';
import { conclude } from '../measure/conclude.ts';
import { formatRatios, type Ratio } from '../measure/ratio.ts';
import { formatHead, sliceFootnote } from '../measure/report.ts';
import { compareEvidence } from './compare.ts';
import type { VideoExamined } from './examine-video.ts';
import { hasRecordings, openVideos } from './videos.ts';

const run = promisify(execFile);
const allSidekickNames = ['Captions', 'Loudness', 'Photosensitivity', 'Video and audio quality'];
const forAudio = ['Loudness', 'Video and audio quality'];
const memoryBytesMax = 400e6;

const settings = { rounds: 2, seconds: 60, longSeconds: 600, lastingSeconds: 7200 };

/** The ffmpeg arguments that each check would need if it decoded the file itself. */
const ffmpegPasses: Record<string, string[]> = {
  black: ['-an', '-vf', 'blackdetect'],
  freeze: ['-an', '-vf', 'freezedetect'],
  fields: ['-an', '-vf', 'idet'],
  levels: ['-an', '-vf', 'signalstats'],
  flashes: ['-an', '-vf', 'photosensitivity'],
  loudness: ['-vn', '-af', 'ebur128=peak=true'],
  silence: ['-vn', '-af', 'silencedetect,astats'],
};

/** Measures what examining a video costs, compared with only decoding it and with one pass per check. */
export async function benchEvidence(args: string[]): Promise<boolean> {
  const { from } = parseArgs({ args, options: { from: { type: 'string' } }, strict: false }).values;
  if (typeof from === 'string') return compareEvidence(from, args);
  const videos = openVideos();
  const rows: Record<string, string>[] = [];
  const ratios: Ratio[] = [];
  const memories: number[] = [];
  const codes: string[] = [];
  const require = (name: string, values: number[], required: number) =>
    ratios.push({ name, values, median: median(values), required });
  const note = (video: string, plays: number, bare: number[], ours: VideoExamined[]): number[] => {
    const seconds = ours.map((one) => one.seconds);
    const memory = Math.max(...ours.map(({ memoryBytesMax: bytes }) => bytes));
    const flashes = [...new Set(ours.flatMap(({ ruleCodes }) => ruleCodes.filter((code) => code.startsWith('PSE-'))))];
    memories.push(memory);
    if (flashes.length > 0) codes.push(`${video}: ${flashes.join(', ')}`);
    rows.push({
      video,
      'bare s': bare.length > 0 ? median(bare).toFixed(1) : '',
      'all four s': median(seconds).toFixed(1),
      times: bare.length > 0 ? (median(seconds) / median(bare)).toFixed(2) : '',
      '× real time': (plays / median(seconds)).toFixed(1),
      'worker MB': (memory / 1e6).toFixed(0),
    });
    console.error(Object.values(rows.at(-1) ?? {}).join('  '));
    return bare.map((one, i) => one / (seconds[i] as number));
  };
  /** Alternates between decoding and examining, so that a disturbance affects both. */
  const beside = async (video: string, path: string, plays: number, rounds = settings.rounds): Promise<number[]> => {
    const [bare, ours]: [number[], VideoExamined[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(await decodeBare(path));
      ours.push(await examine(path, allSidekickNames));
    }
    return note(video, plays, bare, ours);
  };

  try {
    const { seconds, longSeconds, lastingSeconds } = settings;
    const medians: number[] = [];
    for (const { name, path } of await videos.ordinary(seconds, 'full')) {
      const values = await beside(`${name}, 1080p`, path, seconds);
      medians.push(median(values));
      require(`${name}: decoding alone / all four`, values, 1 / 1.5);
    }
    require('median of the ordinary: decoding alone / all four', [median(medians)], 1 / 1.35);
    require('noise: decoding alone / all four', await beside('noise, 1080p', await videos.noise(seconds), seconds), 1 /
      1.5);
    const tenth = await videos.flashing(seconds, 1);
    require('a tenth flashes: decoding alone / all four', await beside('a tenth flashes, 1080p', tenth, seconds), 1 /
      2.2);
    const always = await videos.flashing(seconds, 10);
    require('all of it flashes: decoding alone / all four', await beside(
      'all of it flashes, 1080p',
      always,
      seconds,
      1,
    ), 1 / 5);
    const [first] = await videos.ordinary(longSeconds, 'full', 1);
    const long = await beside('10 min, 1080p', first?.path ?? '', longSeconds, 1);
    require('10 min: decoding alone / all four', long, 1 / 1.5);
    const lasting = await beside('2 h, 360p', await videos.long(lastingSeconds), lastingSeconds, 1);
    require('2 h: decoding alone / all four', lasting, 1 / 1.5);
    for (const { name, path } of await videos.ordinary(seconds, 'native'))
      await beside(`${name}, as it is`, path, seconds, 1);

    const path = await videos.noise(seconds);
    let sum = 0;
    for (const filter of Object.values(ffmpegPasses)) sum += await decodeBare(path, filter);
    require('noise: a pass for each check / all four', [sum / (await examine(path, allSidekickNames)).seconds], 3.5);
    const audioSeconds = 600;
    const heard = await examine(await videos.audio(audioSeconds), forAudio);
    note(`${audioSeconds} s of audio, loudness and audio quality`, audioSeconds, [], [heard]);
    require('audio: real time / 60', [audioSeconds / heard.seconds / 60], 1);
    const memoryShare = memoryBytesMax / Math.max(...memories);
    ratios.push({ name: '400 MB / memory of the worker', values: [memoryShare], median: memoryShare, required: 1 });

    const version = (await run('ffmpeg', ['-version'])).stdout.split(' ')[2]?.split('-')[0] ?? '';
    const head = formatHead({
      title: 'What examining a video costs',
      command: ['pnpm bench evidence', ...args].join(' '),
      settings: `videos of ${seconds} s, 1080p at 15 Mb/s, ${settings.rounds} rounds alternating with \`ffmpeg -f null\``,
      versions: { ffmpeg: version, Node: process.versions.node },
    });
    const missing = hasRecordings
      ? ''
      : 'The recorded videos are missing (ASSAY_CORPORA), so only generated ones were measured. ';
    const found = `${missing}Reported flashes: ${codes.length > 0 ? codes.join('; ') : 'none'}.`;
    const text = [head, formatRatios(ratios, 'times'), formatTable(rows), found, sliceFootnote].join('\n\n');
    return conclude(text, ratios, args, 'evidence/evidence.md');
  } finally {
    videos.remove();
  }
}

async function decodeBare(path: string, filter: string[] = []): Promise<number> {
  const beganAt = performance.now();
  await run('ffmpeg', ['-v', 'error', '-nostdin', '-i', path, ...filter, '-f', 'null', '-'], { maxBuffer: 1e8 });
  return (performance.now() - beganAt) / 1000;
}

async function examine(path: string, names: string[]): Promise<VideoExamined> {
  const script = join(import.meta.dirname, 'examine-video.ts');
  return JSON.parse((await run(process.execPath, [script, path, ...names])).stdout) as VideoExamined;
}
