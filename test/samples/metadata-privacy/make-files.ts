import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RuleCode } from '@assay/sidekicks/checks/metadata-privacy/rules.ts';
import { images } from './images.ts';
import { dashcamTrack, subtitles } from './leaky-media.ts';
import { withPosition } from './make-exif.ts';
import type { Recipe } from './recipe.ts';

export type MadeFile = { label: string; filename: string; path: string; expected: readonly RuleCode[] };

const run = promisify(execFile);
const concurrency = 3;

/** Makes the labelled set in this folder: ffmpeg writes the tags it can, one run of ExifTool writes the others. */
export async function makeFiles(
  recipes: readonly Recipe[],
  sample: (name: string) => Uint8Array,
  folder: string,
): Promise<MadeFile[]> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'track.srt'), dashcamTrack);
  await writeFile(join(folder, 'subtitles.srt'), subtitles);
  await writeFile(join(folder, 'photo.jpg'), withPosition(sample('still.jpg')));
  await forEachConcurrently(Object.entries(images), async ([name, filters]) => {
    await ffmpeg(['-f', 'lavfi', '-i', filters, '-frames:v', '1', '-q:v', '4', join(folder, name)]);
  });
  const made = recipes.map((recipe, i) => ({ ...recipe, path: join(folder, `${i}${extname(recipe.filename)}`) }));
  await forEachConcurrently(made, async ({ from, ffmpeg: options, path }) => {
    const bytes = typeof from !== 'string' ? from : from in images ? await readFile(join(folder, from)) : sample(from);
    if (!options) return writeFile(path, bytes);
    const before = join(folder, `from-${path.slice(folder.length + 1)}`);
    await writeFile(before, bytes);
    await ffmpeg(['-i', before, ...options.map((option) => option.replace('FOLDER', folder)), path]);
  });
  await exiftool(
    made.flatMap(({ exiftool: tags = [], path }) =>
      tags.length > 0 ? [...tags.map((tag) => tag.replace('FOLDER', folder)), path, '-execute'] : [],
    ),
  );
  return made.map(({ label, filename, path, expected }) => ({ label, filename, path, expected }));
}

async function ffmpeg(options: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...options]);
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

/** Runs a few at a time, in no guaranteed order. */
export async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
