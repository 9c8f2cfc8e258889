import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cached, cachedSync } from '../run/cached.ts';

const execFileAsync = promisify(execFile);
export const ffmpegVersion = execFileSync('ffmpeg', ['-version'], { encoding: 'utf8' }).split(' ')[2] ?? '';
const cacheFolder = `samples/ffmpeg-${ffmpegVersion}`;

/** Content of the files that ffmpeg reads, by their names in the arguments. */
type Inputs = Record<string, Uint8Array | string>;

/**
 * Makes a file with these ffmpeg arguments and returns its path. The file is cached for each version of ffmpeg, so it
 * must not be modified, and the arguments must name no files except the inputs. `nameEnd` is the extension, or a longer
 * end of the file name.
 */
export function makeWithFfmpeg(nameEnd: string, args: readonly string[], inputs: Inputs = {}): Promise<string> {
  return cached(cacheFolder, nameEnd, [...args, ...Object.entries(inputs)], (path) =>
    execFileAsync(...commandFor(path, args, inputs)),
  );
}

/** Like `makeWithFfmpeg`, but synchronous. */
export function makeWithFfmpegSync(nameEnd: string, args: readonly string[], inputs: Inputs = {}): string {
  return cachedSync(cacheFolder, nameEnd, [...args, ...Object.entries(inputs)], (path) =>
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
