import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { readComplaint } from '../ffmpeg-complaint.ts';
import type { ToolEnd } from '../run-tool.ts';

/** What a decoder complained of. */
export type DecoderLog = { errorCount: number; messages: string[] };

const messagesMax = 20;
const messageCharactersMax = 200;

const crashSignals = new Set([4, 6, 7, 8, 11].map((signal) => 128 + signal)); // ILL, ABRT, BUS, FPE, SEGV

/** Whether it died by its own fault, as a decoder with a bug does. */
export function hasCrashed({ exitCode }: ToolEnd): boolean {
  return crashSignals.has(exitCode);
}

/** Why this file could not be decoded at all; nothing where it was, however damaged. */
export function failureOfDecoder(end: ToolEnd): AssetFailure | null {
  if (end.exitCode === 0) return null;
  const errorType = hasCrashed(end) ? 'corrupt_media' : readComplaint(end.stderr);
  return new AssetFailure(errorType, { cause: new Error(`ffmpeg: ${end.exitCode} ${end.stderr.slice(0, 500)}`) });
}

/** Said of what we have ffmpeg write, as where times of the file run backwards; the file was decoded all the same. */
const ofOutput = /non monotonically increasing dts to muxer/;

export function readDecoderLog(stderr: string): DecoderLog {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !ofOutput.test(line));
  const repeated = lines.reduce(
    (sum, line) => sum + Number(/Last message repeated (\d+) times/.exec(line)?.[1] ?? 0),
    0,
  );
  const said = lines.filter((line) => !/Last message repeated/.test(line)).map(withoutAddress);
  return { errorCount: said.length + repeated, messages: [...new Set(said)].slice(0, messagesMax) };
}

/** `[h264 @ 0x5581d0] text` → `h264: text`: an address says nothing, and differs each time. */
function withoutAddress(line: string): string {
  return line.replace(/^\[([^\]@]+?) @ 0x[0-9a-f]+\] /, '$1: ').slice(0, messageCharactersMax);
}
