import type { ToolEnd } from '@assay/jail/run-tool.ts';
import type { ProbeStream } from '../probe/probe-report.ts';

/** A stream that was not there at the start of the file, where the streams are listed. */
export type LateStream = { index: number; kind: Extract<ProbeStream['kind'], 'video' | 'audio' | 'subtitle'> };

/** Formats without a list of their streams: any of them can begin at any time. */
const unlistedFormats = new Set(['mpegts', 'mpeg']);

/** ffmpeg reports a late stream as a warning; warnings of other formats are not needed. */
export function logLevelFor(demuxer: string): string {
  return unlistedFormats.has(demuxer) ? 'level+warning' : 'error';
}

const leveled = /^(\[[^\]]+\] )?\[(\w+)\] (.*)$/;
const announcement = /^New (video|audio|subtitle) stream \d+:(\d+) at pos/;

/** Separates what ffmpeg says about late streams from the errors, which get the form that they have without levels. */
export function separateLateStreams(end: ToolEnd): { end: ToolEnd; lateStreams: LateStream[] } {
  const lateStreams = new Map<number, LateStream>();
  const errors: string[] = [];
  let isKept = true; // a repetition refers to the line before it
  for (const line of end.stderr.split('\n')) {
    const [, component = '', level, text = ''] = leveled.exec(line) ?? [];
    if (level !== undefined) isKept = level !== 'warning';
    if (isKept) errors.push(level === undefined ? line : `${component}${text}`);
    const [, kind, index] = announcement.exec(text) ?? [];
    if (kind) lateStreams.set(Number(index), { index: Number(index), kind: kind as LateStream['kind'] });
  }
  return { end: { ...end, stderr: errors.join('\n') }, lateStreams: [...lateStreams.values()] };
}
