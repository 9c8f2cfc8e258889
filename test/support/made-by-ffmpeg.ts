import { execFile, execFileSync } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../stack/instance.ts';

const run = promisify(execFile);
const version = execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2];
const folder = join(cacheDir, 'samples', `ffmpeg-${version}`);

/**
 * The file that ffmpeg makes from these arguments. It is made once per version of ffmpeg and cached next to the built
 * tools, so the arguments must not name other files. It must not be modified.
 */
export async function madeByFfmpeg(extension: string, args: readonly string[]): Promise<string> {
  const path = join(folder, `${hash('sha256', JSON.stringify(args))}${extension}`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  // Under another name first: concurrent tests must not read an incomplete file.
  const scratch = join(folder, `${randomUUID()}${extension}`);
  await run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args, scratch]);
  renameSync(scratch, path);
  return path;
}
