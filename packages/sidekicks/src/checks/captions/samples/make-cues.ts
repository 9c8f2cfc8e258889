import { type FlawKind, flawKinds } from '#evidence/media/captions/flaws.ts';
import type { RuleCode } from '../rules.ts';

/** A caption: its start and end in seconds, and its lines of text. */
export type Caption = [from: number, to: number, ...text: string[]];

export type CueSample = {
  label: string;
  filename: string;
  bytes: Buffer;
  /** Findings in the format of `keyOf`, in any order. */
  expected: string[];
  /** The number of cues that are read; `null` if the sample is not a caption file. */
  cues: number | null;
};

export const vttOf = (...cues: Caption[]) => ['WEBVTT', ...cues.map((cue) => vttCue(cue))].join('\n\n').concat('\n');
export const srtOf = (...cues: Caption[]) => cues.map((cue, i) => srtCue(cue, i + 1)).join('\n');

function vttCue([from, to, ...text]: Caption): string {
  return [`${timestamp(from, '.')} --> ${timestamp(to, '.')}`, ...text].join('\n');
}

export function srtCue([from, to, ...text]: Caption, number: number): string {
  return [number, `${timestamp(from, ',')} --> ${timestamp(to, ',')}`, ...text, ''].join('\n');
}

export function timestamp(seconds: number, separator: string): string {
  const ms = Math.round(seconds * 1000);
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = [pad(ms / 3_600_000), pad((ms / 60_000) % 60), pad((ms / 1000) % 60)].join(':');
  return `${clock}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

/** An expected finding with its time range in milliseconds: `CAPT-FAST 1000-3000`. */
export const findingAt = (ruleCode: RuleCode, fromMs: number, toMs: number) => `${ruleCode} ${fromMs}-${toMs}`;

export function flawFinding(kind: FlawKind): string {
  const { what, isLost } = flawKinds[kind];
  return `${isLost ? 'CAPT-MALFORMED' : 'CAPT-IRREGULAR'} ${what}`;
}

/** The findings for a flaw that hides captions, so that they cannot be examined. */
export const lossFindings = (kind: FlawKind) => [
  flawFinding(kind),
  `CAPT-UNREADABLE unread captions: ${flawKinds[kind].what}`,
];

/** The findings for a file whose name promises captions, but from which none can be read. */
export const notCaptions = (name: 'SubRip' | 'WebVTT') => [
  `CAPT-MALFORMED not ${name}`,
  'CAPT-UNREADABLE unread captions: file',
];

export const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
export const utf16be = (text: string) => Buffer.from(utf16(text)).swap16();

/** A text with this many words. */
export const textOfWords = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

export function cueSample(
  label: string,
  extension: 'vtt' | 'srt' | 'txt',
  content: string | Buffer,
  expected: string[] = [],
  cues: number | null = 1,
): CueSample {
  return { label, filename: `a.${extension}`, bytes: Buffer.from(content), expected, cues };
}
