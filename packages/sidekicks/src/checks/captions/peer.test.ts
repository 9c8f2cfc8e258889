import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readCueFile } from '../../evidence/captions/cue-file.ts';
import { type Cue, parseCues } from '../../evidence/captions/parse-cues.ts';
import { cleanCues } from './samples/clean-cues.ts';

/** What ffmpeg reads otherwise than the W3C has it. */
const otherwise = new Set(['CR alone', 'style and region', 'escapes']);

const samples = cleanCues().filter(({ cues, label }) => cues !== null && !otherwise.has(label));
const told = (cues: readonly Cue[]) =>
  cues.map(({ startMs, endMs, lines }) => `${startMs} ${endMs} ${lines.join('/')}`);

describe('ffmpeg reads the same times and words', () => {
  test.each(samples.map((one): [string, string, Buffer] => [one.label, one.filename, one.bytes]))(
    '%s (%s)',
    async (_, __, bytes) => {
      const read = async (target: Uint8Array, offset: number) => bytes.copy(target, 0, offset);
      const signal = new AbortController().signal;
      const source = { bytes: { sizeBytes: bytes.length, read }, fd: -1, signal, cage: 'bubblewrap' as const };
      const ours = await readCueFile(source);
      const demuxer = ours?.format === 'vtt' ? 'webvtt' : 'srt';
      const args = ['-v', 'error', '-f', demuxer, '-i', 'pipe:0', '-c:s', 'srt', '-f', 'srt', 'pipe:1'];
      const theirs = execFileSync('ffmpeg', args, { input: bytes, maxBuffer: 64 * 1024 * 1024 });
      expect(told(ours?.cues ?? [])).toEqual(told(parseCues(theirs.toString(), 'srt').cues));
    },
  );
});
