import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RuleCode } from '../rules.ts';
import { dashcamTrack, subtitles } from './leaky-media.ts';
import { withPosition } from './make-exif.ts';
import { pictures } from './pictures.ts';
import type { Recipe } from './recipe.ts';

export type MadeFile = { label: string; filename: string; path: string; expected: readonly RuleCode[] };

const run = promisify(execFile);
const atOnce = 3;

/** Makes the labelled set in this folder: what ffmpeg can write by ffmpeg, all other tags by one run of ExifTool. */
export async function makeFiles(
  recipes: readonly Recipe[],
  sample: (name: string) => Uint8Array,
  folder: string,
): Promise<MadeFile[]> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'track.srt'), dashcamTrack);
  await writeFile(join(folder, 'subtitles.srt'), subtitles);
  await writeFile(join(folder, 'photo.jpg'), withPosition(sample('still.jpg')));
  await inTurns(Object.entries(pictures), async ([name, filters]) => {
    await ffmpeg(['-f', 'lavfi', '-i', filters, '-frames:v', '1', '-q:v', '4', join(folder, name)]);
  });
  const made = recipes.map((recipe, i) => ({ ...recipe, path: join(folder, `${i}${extname(recipe.filename)}`) }));
  await inTurns(made, async ({ from, ffmpeg: options, path }) => {
    const bytes =
      typeof from !== 'string' ? from : from in pictures ? await readFile(join(folder, from)) : sample(from);
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

/** A tag that it does not write would make a leaky file a clean one: every warning is an error here. */
async function exiftool(lines: readonly string[]): Promise<void> {
  const child = spawn('exiftool', ['-@', '-', '-common_args', '-q', '-overwrite_original'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(lines.join('\n'));
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  await new Promise((resolve) => child.on('close', resolve));
  if (complaints.length > 0) throw new Error(Buffer.concat(complaints).toString());
}

/** A few at a time, in any order. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
