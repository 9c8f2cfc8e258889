import { type FlawKind, flawKinds } from '../../../evidence/captions/flaws.ts';
import type { RuleCode } from '../rules.ts';

/** From and to in seconds. */
export type Line = [from: number, to: number, ...text: string[]];

export type CueSample = {
  label: string;
  filename: string;
  bytes: Buffer;
  /** As `keyOf` writes findings, in any order. */
  expected: string[];
  /** How many cues are read; `null`: it is no cue file. */
  cues: number | null;
};

export const vttOf = (...cues: Line[]) => ['WEBVTT', ...cues.map((cue) => vttCue(cue))].join('\n\n').concat('\n');
export const srtOf = (...cues: Line[]) => cues.map((cue, i) => srtCue(cue, i + 1)).join('\n');

export function vttCue([from, to, ...text]: Line): string {
  return [`${stamp(from, '.')} --> ${stamp(to, '.')}`, ...text].join('\n');
}

export function srtCue([from, to, ...text]: Line, number: number): string {
  return [number, `${stamp(from, ',')} --> ${stamp(to, ',')}`, ...text, ''].join('\n');
}

export function stamp(seconds: number, mark: string): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = [two(ms / 3_600_000), two((ms / 60_000) % 60), two((ms / 1000) % 60)].join(':');
  return `${clock}${mark}${String(ms % 1000).padStart(3, '0')}`;
}

/** `CAPT-FAST 1000-3000`, in milliseconds. */
export const at = (ruleCode: RuleCode, fromMs: number, toMs: number) => `${ruleCode} ${fromMs}-${toMs}`;

export function flaw(kind: FlawKind): string {
  const { what, isLost } = flawKinds[kind];
  return `${isLost ? 'CAPT-MALFORMED' : 'CAPT-IRREGULAR'} ${what}`;
}

export const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
export const utf16be = (text: string) => Buffer.from(utf16(text)).swap16();

/** So many words that one could say. */
export const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

export function sample(
  label: string,
  extension: 'vtt' | 'srt' | 'txt',
  content: string | Buffer,
  expected: string[] = [],
  cues: number | null = 1,
): CueSample {
  return { label, filename: `a.${extension}`, bytes: Buffer.from(content), expected, cues };
}
