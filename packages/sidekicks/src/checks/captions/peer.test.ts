import { execFileSync } from 'node:child_process';
import { withBytes } from '@assay/testing/media/examine.ts';
import { describe, expect, test } from 'vitest';
import { readCueFile } from '#evidence/media/captions/cue-file.ts';
import { type Cue, parseCues } from '#evidence/media/captions/parse-cues.ts';
import { cleanCues } from './samples/clean-cues.ts';

/** Samples that ffmpeg reads differently from what the W3C specifies. */
const knownDifferences = new Set(['CR only', 'style and region', 'escapes']);

const samples = cleanCues().filter(({ cues, label }) => cues !== null && !knownDifferences.has(label));
const formatCues = (cues: readonly Cue[]) =>
  cues.map(({ startMs, endMs, lines }) => `${startMs} ${endMs} ${lines.join('/')}`);

describe('ffmpeg and the caption parser', () => {
  test.each(samples.map((one): [string, string, Buffer] => [one.label, one.filename, one.bytes]))(
    'read the same times and words from the sample “%s” (%s)',
    async (_, __, bytes) => {
      const ours = await withBytes(bytes, readCueFile);
      const demuxer = ours?.format === 'vtt' ? 'webvtt' : 'srt';
      const args = ['-v', 'error', '-f', demuxer, '-i', 'pipe:0', '-c:s', 'srt', '-f', 'srt', 'pipe:1'];
      const theirs = execFileSync('ffmpeg', args, { input: bytes, maxBuffer: 64 * 1024 * 1024 });
      expect(formatCues(ours?.cues ?? [])).toEqual(formatCues(parseCues(theirs.toString(), 'srt').cues));
    },
  );
});
