import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBitmapCaptions } from './make-bitmap-captions.ts';
import { withClosedCaptions } from './make-closed-captions.ts';
import { type Line, srtOf } from './make-cues.ts';

const video = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=4'];
const audio = ['-f', 'lavfi', '-i', 'sine=d=4'];

/** Makes videos of four seconds with embedded captions. */
export function openVideoMaker(folder: string) {
  const path = (name: string) => join(folder, name);
  const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args]);
  const make = (name: string, ...args: string[]) => {
    ffmpeg(...args, path(name));
    return readFileSync(path(name));
  };

  /** Encoded once per container and reused. */
  const bases = new Map<string, string>();
  const baseFor = (name: string): string[] => {
    const kind = name.endsWith('.webm') ? 'webm' : 'mkv';
    const fast =
      kind === 'webm' ? ['-c:v', 'libvpx', '-deadline', 'realtime'] : ['-preset', 'ultrafast', '-c:a', 'aac'];
    if (!bases.has(kind)) ffmpeg(...video, ...audio, ...fast, path(`base.${kind}`));
    bases.set(kind, path(`base.${kind}`));
    return ['-i', path(`base.${kind}`)];
  };

  return {
    /** One text track for each list of captions. */
    withText(name: string, codec: string, tracks: Line[][], language: string | null = 'eng'): Buffer {
      const inputs = tracks.flatMap((cues, i) => {
        writeFileSync(path(`${i}.srt`), srtOf(...cues));
        return ['-i', path(`${i}.srt`)];
      });
      const maps = ['-map', '0', ...tracks.flatMap((_, i) => ['-map', `${i + 1}`])];
      const metadata = ['-metadata:s:s', `language=${language ?? 'und'}`];
      return make(name, ...baseFor(name), ...inputs, ...maps, '-c', 'copy', '-c:s', codec, ...metadata);
    },
    withBitmaps(name: string, codec: string): Buffer {
      writeFileSync(path('a.sup'), makeBitmapCaptions(500, 2000));
      // Without it, a re-encoded bitmap would never be removed from the screen.
      const ends = codec === 'copy' ? [] : ['-fix_sub_duration'];
      return make(name, ...video, ...ends, '-i', path('a.sup'), '-map', '0', '-map', '1', '-c:s', codec);
    },
    /** CEA-608 in the video stream. */
    withClosedCaptions(name: string, codec: 'mpeg2video' | 'h264', words: string): Buffer {
      const raw = codec === 'h264' ? 'raw.h264' : 'raw.m2v';
      const encode = codec === 'h264' ? ['-c:v', 'libx264', '-x264-params', 'slices=1'] : ['-c:v', 'mpeg2video'];
      const encoded = make(raw, ...video, ...encode, '-bf', '0');
      writeFileSync(path(raw), withClosedCaptions(encoded, words, codec));
      return make(name, '-fflags', '+genpts', '-r', '25', '-i', path(raw), '-c', 'copy');
    },
    /** CEA-608 as a separate track. */
    withCaptionTrack(name: string): Buffer {
      const codes = '9420 9420 9470 9470 c845 4c4c 4f20 574f 524c c480 942f 942f';
      writeFileSync(path('a.scc'), `Scenarist_SCC V1.0\n\n00:00:00:15\t${codes}\n\n00:00:02:00\t942c 942c\n\n`);
      return make(name, ...video, '-i', path('a.scc'), '-map', '0', '-map', '1', '-c:s', 'copy');
    },
    withoutCaptions: (name: string): Buffer => make(name, ...video, ...audio),
  };
}
