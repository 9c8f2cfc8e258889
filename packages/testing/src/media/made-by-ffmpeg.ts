import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cached, cachedSync } from '../run/cached.ts';

const run = promisify(execFile);
export const ffmpegVersion = execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2] ?? '';
const kind = `samples/ffmpeg-${ffmpegVersion}`;

/** Files that ffmpeg reads, by the names that the arguments give them. */
type Inputs = Record<string, Uint8Array | string>;

/**
 * The file that ffmpeg makes from these arguments. It is made once per version of ffmpeg, so the arguments must not name
 * files other than the inputs. It must not be modified. `nameEnd` is its extension, or a longer end of its name.
 */
export function madeByFfmpeg(nameEnd: string, args: readonly string[], inputs: Inputs = {}): Promise<string> {
  return cached(kind, nameEnd, [...args, ...Object.entries(inputs)], (path) => run(...commandFor(path, args, inputs)));
}

/** As `madeByFfmpeg`, for what cannot wait. */
export function madeByFfmpegSync(nameEnd: string, args: readonly string[], inputs: Inputs = {}): string {
  return cachedSync(kind, nameEnd, [...args, ...Object.entries(inputs)], (path) =>
    execFileSync(...commandFor(path, args, inputs)),
  );
}

function commandFor(path: string, args: readonly string[], inputs: Inputs) {
  const cwd = dirname(path);
  for (const [name, content] of Object.entries(inputs)) writeFileSync(join(cwd, name), content);
  const command: [string, string[], { cwd: string }] = [
    'ffmpeg',
    ['-v', 'error', '-y', '-nostdin', ...args, path],
    { cwd },
  ];
  return command;
}
