import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBitmapCaptions } from './make-bitmap-captions.ts';
import { withClosedCaptions } from './make-closed-captions.ts';
import { type Line, srtOf } from './make-cues.ts';

const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=4'];
const sound = ['-f', 'lavfi', '-i', 'sine=d=4'];

/** Makes films of four seconds with captions in them. */
export function openFilmMaker(folder: string) {
  const path = (name: string) => join(folder, name);
  const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args]);
  const made = (name: string, ...args: string[]) => {
    ffmpeg(...args, path(name));
    return readFileSync(path(name));
  };

  /** Encoded once for all films of a kind. */
  const bases = new Map<string, string>();
  const baseFor = (name: string): string[] => {
    const kind = name.endsWith('.webm') ? 'webm' : 'mkv';
    const fast =
      kind === 'webm' ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : ['-preset', 'ultrafast', '-c:a', 'aac'];
    if (!bases.has(kind)) ffmpeg(...picture, ...sound, ...fast, path(`base.${kind}`));
    bases.set(kind, path(`base.${kind}`));
    return ['-i', path(`base.${kind}`)];
  };

  return {
    /** A track of text for every list of captions. */
    withText(name: string, codec: string, tracks: Line[][], language: string | null = 'eng'): Buffer {
      const inputs = tracks.flatMap((cues, i) => {
        writeFileSync(path(`${i}.srt`), srtOf(...cues));
        return ['-i', path(`${i}.srt`)];
      });
      const maps = ['-map', '0', ...tracks.flatMap((_, i) => ['-map', `${i + 1}`])];
      const said = ['-metadata:s:s', `language=${language ?? 'und'}`];
      return made(name, ...baseFor(name), ...inputs, ...maps, '-c', 'copy', '-c:s', codec, ...said);
    },
    withBitmaps(name: string, codec: string): Buffer {
      writeFileSync(path('a.sup'), makeBitmapCaptions(500, 2000));
      // Encoded anew, a picture would stand for ever without it.
      const ends = codec === 'copy' ? [] : ['-fix_sub_duration'];
      return made(name, ...picture, ...ends, '-i', path('a.sup'), '-map', '0', '-map', '1', '-c:s', codec);
    },
    /** CEA-608 within the pictures. */
    withClosedCaptions(name: string, codec: 'mpeg2video' | 'h264', words: string): Buffer {
      const raw = codec === 'h264' ? 'raw.h264' : 'raw.m2v';
      const encode = codec === 'h264' ? ['-c:v', 'libx264', '-x264-params', 'slices=1'] : ['-c:v', 'mpeg2video'];
      const video = made(raw, ...picture, ...encode, '-bf', '0');
      writeFileSync(path(raw), withClosedCaptions(video, words, codec));
      return made(name, '-fflags', '+genpts', '-r', '25', '-i', path(raw), '-c', 'copy');
    },
    /** CEA-608 as a track of its own. */
    withCaptionTrack(name: string): Buffer {
      const codes = '9420 9420 9470 9470 c845 4c4c 4f20 574f 524c c480 942f 942f';
      writeFileSync(path('a.scc'), `Scenarist_SCC V1.0\n\n00:00:00:15\t${codes}\n\n00:00:02:00\t942c 942c\n\n`);
      return made(name, ...picture, '-i', path('a.scc'), '-map', '0', '-map', '1', '-c:s', 'copy');
    },
    withoutCaptions: (name: string): Buffer => made(name, ...picture, ...sound),
  };
}
