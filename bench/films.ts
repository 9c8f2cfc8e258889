import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeByFfmpeg } from '../test/support/made-by-ffmpeg.ts';

const run = promisify(execFile);
const pieceSeconds = 10;
const moving = 'testsrc2=s=1920x1080:r=25,noise=alls=10:allf=t+u';
const sound = 'anoisesrc=c=pink:r=48000:a=0.2';
const coded = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-b:v',
  '15M',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '50',
  '-c:a',
  'aac',
];

export type Films = {
  /** So many seconds of 1080p at 25 pictures and 15 Mb a second, with sound; never still, so that nothing can be skipped. */
  film(seconds: number): Promise<string>;
  /** The same, of which a tenth flashes five times a second. */
  flashing(seconds: number): Promise<string>;
  sound(seconds: number): Promise<string>;
  /** A small one, for length alone. */
  long(seconds: number): Promise<string>;
  remove(): void;
};

/** Pieces of ten seconds are made once and repeated without coding them again. */
export function openFilms(): Films {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-films-'));
  const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args]);
  const piece = (picture: string) =>
    madeByFfmpeg('.mp4', [
      ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, '-t', `${pieceSeconds}`],
      ...[...coded, '-ac', '2'],
    ]);
  const repeat = async (name: string, path: string, times: number) => {
    const repeated = join(folder, name);
    if (!existsSync(repeated)) await ffmpeg('-stream_loop', `${times - 1}`, '-i', path, '-c', 'copy', repeated);
    return repeated;
  };

  return {
    film: async (seconds) => repeat(`film-${seconds}.mp4`, await piece(moving), seconds / pieceSeconds),
    flashing: async (seconds) => {
      const white = "drawbox=c=white:t=fill:enable='lt(t,1)*lt(mod(t,0.2),0.1)'";
      const black = "drawbox=c=black:t=fill:enable='lt(t,1)*gte(mod(t,0.2),0.1)'";
      const path = await piece(`${moving},${white},${black}`);
      return repeat(`flashing-${seconds}.mp4`, path, seconds / pieceSeconds);
    },
    sound: (seconds) =>
      madeByFfmpeg('.m4a', ['-f', 'lavfi', '-i', sound, '-t', `${seconds}`, '-ac', '2', '-c:a', 'aac']),
    long: async (seconds) => {
      const small = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=5', '-f', 'lavfi', '-i', sound, '-t', '60'];
      const path = await madeByFfmpeg('.mp4', [
        ...small,
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-ac', '2'],
      ]);
      return repeat(`long-${seconds}.mp4`, path, seconds / 60);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
