import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { ffmpegVersion } from '@assay/testing/media/made-by-ffmpeg.ts';
import { cached } from '@assay/testing/run/cached.ts';
import type { RuleCode } from '../rules.ts';
import { imageFilters } from './images.ts';
import { dashcamTrack, subtitles } from './leaky-media.ts';
import { withPosition } from './make-exif.ts';
import type { Recipe } from './recipe.ts';

export type MadeFile = { label: string; filename: string; path: string; expected: readonly RuleCode[] };

const runProgram = promisify(execFile);
const concurrency = 3;

/** Makes the sample files, or takes them from the cache. */
export async function makeFiles(recipes: readonly Recipe[], sample: (name: string) => Uint8Array): Promise<MadeFile[]> {
  const besides = {
    'track.srt': dashcamTrack,
    'subtitles.srt': subtitles,
    'photo.jpg': withPosition(sample('still.jpg')),
  };
  const made = recipes.map(({ from, filename, ffmpeg, exiftool }, i) => ({
    name: `${i}${extname(filename)}`,
    from: typeof from !== 'string' || from in imageFilters ? from : sample(from),
    ffmpeg,
    exiftool,
  }));
  const versions = [ffmpegVersion, execFileSync('exiftool', ['-ver'], { encoding: 'utf8' })];
  const determinedBy = { versions, besides, images: imageFilters, made, madeBy: await readFile(import.meta.filename) };
  const folder = await cached('samples/metadata-privacy', '', determinedBy, (path) => makeFilesIn(path, besides, made));
  return recipes.map(({ label, filename, expected }, i) => {
    return { label, filename, path: join(folder, made[i]?.name ?? ''), expected };
  });
}

type FileToMake = { name: string } & { [Key in 'from' | 'ffmpeg' | 'exiftool']: Recipe[Key] };

/** ffmpeg writes the tags of recipes with ffmpeg options, and one run of ExifTool writes all others. */
async function makeFilesIn(
  folder: string,
  besides: Record<string, string | Uint8Array>,
  made: FileToMake[],
): Promise<void> {
  await mkdir(folder);
  for (const [name, content] of Object.entries(besides)) await writeFile(join(folder, name), content);
  await forEachConcurrently(Object.entries(imageFilters), async ([name, filters]) => {
    await ffmpeg(['-f', 'lavfi', '-i', filters, '-frames:v', '1', '-q:v', '4', join(folder, name)]);
  });
  await forEachConcurrently(made, async ({ name, from, ffmpeg: options }) => {
    const path = join(folder, name);
    const bytes = typeof from === 'string' ? await readFile(join(folder, from)) : from;
    if (!options) return writeFile(path, bytes);
    const before = join(folder, `from-${name}`);
    await writeFile(before, bytes);
    await ffmpeg(['-i', before, ...options.map((option) => option.replace('FOLDER', folder)), path]);
  });
  await exiftool(
    made.flatMap(({ exiftool: tags = [], name }) =>
      tags.length > 0 ? [...tags.map((tag) => tag.replace('FOLDER', folder)), join(folder, name), '-execute'] : [],
    ),
  );
}

async function ffmpeg(options: readonly string[]): Promise<void> {
  await runProgram('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...options]);
}

/** Every warning is an error, because a tag that ExifTool does not write would turn a leaky file into a clean one. */
async function exiftool(lines: readonly string[]): Promise<void> {
  const child = spawn('exiftool', ['-@', '-', '-common_args', '-q', '-overwrite_original'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(lines.join('\n'));
  const stderr: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  await new Promise((resolve) => child.on('close', resolve));
  if (stderr.length > 0) throw new Error(Buffer.concat(stderr).toString());
}

/** Processes a few items at a time, in no guaranteed order. */
export async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
