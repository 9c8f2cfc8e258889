import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { makeWithFfmpeg } from '@assay/testing/media/made-by-ffmpeg.ts';
import { makeBitmapCaptions } from './make-bitmap-captions.ts';
import { withClosedCaptions } from './make-closed-captions.ts';
import { type Caption, srtOf } from './make-cues.ts';

const videoInput = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=4'];
const audioInput = ['-f', 'lavfi', '-i', 'sine=d=4'];
const fastEncoding = {
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime'],
  mkv: ['-preset', 'ultrafast', '-c:a', 'aac'],
};

async function makeVideo(
  name: string,
  args: string[],
  inputs: Record<string, Uint8Array | string> = {},
): Promise<Buffer> {
  return readFile(await makeWithFfmpeg(extname(name), args, inputs));
}

/** Makes videos of four seconds with embedded captions. */
export const captionVideos = {
  /** One text track for each list of captions. */
  async withText(
    name: string,
    codec: string,
    tracks: Caption[][],
    language: string | null = 'eng',
    more: string[] = [],
  ): Promise<Buffer> {
    const kind = name.endsWith('.webm') ? 'webm' : 'mkv';
    const base = await makeVideo(`base.${kind}`, [...videoInput, ...audioInput, ...fastEncoding[kind]]);
    const texts = Object.fromEntries(tracks.map((cues, i) => [`${i}.srt`, srtOf(...cues)]));
    const inputs = { [`base.${kind}`]: base, ...texts };
    const args = [
      ...Object.keys(inputs).flatMap((input) => ['-i', input]),
      ...['-map', '0', ...tracks.flatMap((_, i) => ['-map', `${i + 1}`])],
      ...['-c', 'copy', '-c:s', codec, '-metadata:s:s', `language=${language ?? 'und'}`],
      ...more,
    ];
    return makeVideo(name, args, inputs);
  },
  /** A minute with a text track for each list of captions, which these arguments of ffmpeg describe. */
  async ofOneMinute(tracks: readonly { captions: Caption[]; args: string[] }[]): Promise<Buffer> {
    const inputs = Object.fromEntries(tracks.map(({ captions }, i) => [`${i}.srt`, srtOf(...captions)]));
    const args = [
      ...['-f', 'lavfi', '-i', 'color=s=64x48:r=1:d=60', '-f', 'lavfi', '-i', 'sine=r=8000:d=60'],
      ...Object.keys(inputs).flatMap((input) => ['-i', input]),
      ...['-map', '0', '-map', '1', ...tracks.flatMap((_, i) => ['-map', `${i + 2}`])],
      ...['-preset', 'ultrafast', '-c:a', 'aac', '-c:s', 'srt'],
      ...tracks.flatMap(({ args: own }) => own),
    ];
    return makeVideo('minute.mkv', args, inputs);
  },
  /** A track with these lines of Advanced SubStation: start, end and text of each caption. */
  async withStyledText(captions: readonly [from: string, to: string, text: string][]): Promise<Buffer> {
    const events = captions.map(([from, to, text]) => `Dialogue: 0,${from},${to},Default,,0,0,0,,${text}`);
    const head = ['[Events]', 'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text'];
    const script = ['[Script Info]', 'ScriptType: v4.00+', '', ...head, ...events, ''].join('\n');
    const args = [...videoInput, '-i', 'a.ass', '-map', '0', '-map', '1', '-preset', 'ultrafast', '-c:s', 'copy'];
    return makeVideo('styled.mkv', args, { 'a.ass': script });
  },
  /** A track whose text is in this encoding, although Matroska requires UTF-8. */
  async withEncoding(captions: Caption[], encoding: BufferEncoding): Promise<Buffer> {
    const args = [...videoInput, '-i', 'a.srt', '-map', '0', '-map', '1', '-preset', 'ultrafast', '-c:s', 'copy'];
    return makeVideo('encoded.mkv', args, { 'a.srt': Buffer.from(srtOf(...captions), encoding) });
  },
  async withBitmaps(name: string, codec: string): Promise<Buffer> {
    // Without this option, a re-encoded bitmap would never be cleared from the screen.
    const ends = codec === 'copy' ? [] : ['-fix_sub_duration'];
    const args = [...videoInput, ...ends, '-i', 'a.sup', '-map', '0', '-map', '1', '-c:s', codec];
    return makeVideo(name, args, { 'a.sup': makeBitmapCaptions(500, 2000) });
  },
  /** CEA-608 in the video stream. */
  async withClosedCaptions(name: string, codec: 'mpeg2video' | 'h264', words: string): Promise<Buffer> {
    const raw = codec === 'h264' ? 'raw.h264' : 'raw.m2v';
    const encode = codec === 'h264' ? ['-c:v', 'libx264', '-x264-params', 'slices=1'] : ['-c:v', 'mpeg2video'];
    const encoded = await makeVideo(raw, [...videoInput, ...encode, '-bf', '0']);
    const args = ['-fflags', '+genpts', '-r', '25', '-i', raw, '-c', 'copy'];
    return makeVideo(name, args, { [raw]: withClosedCaptions(encoded, words, codec) });
  },
  /** CEA-608 as a separate track. */
  async withCaptionTrack(name: string): Promise<Buffer> {
    const codes = '9420 9420 9470 9470 c845 4c4c 4f20 574f 524c c480 942f 942f';
    const track = `Scenarist_SCC V1.0\n\n00:00:00:15\t${codes}\n\n00:00:02:00\t942c 942c\n\n`;
    return makeVideo(name, [...videoInput, '-i', 'a.scc', '-map', '0', '-map', '1', '-c:s', 'copy'], {
      'a.scc': track,
    });
  },
  withoutCaptions: (name: string): Promise<Buffer> => makeVideo(name, [...videoInput, ...audioInput]),
};
