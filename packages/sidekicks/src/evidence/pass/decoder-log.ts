import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { ToolEnd } from '../jail/run-tool.ts';
import { classifyFfmpegError } from '../probe/classify-ffmpeg-error.ts';

/** Errors that the decoder reported. */
export type DecoderLog = { errorCount: number; messages: string[] };

const messagesMax = 20;
const messageCharactersMax = 200;

const crashSignals = new Set([4, 6, 7, 8, 11].map((signal) => 128 + signal)); // ILL, ABRT, BUS, FPE, SEGV

/** Whether the decoder crashed, as opposed to exiting with an error or being killed. */
export function hasCrashed({ exitCode }: ToolEnd): boolean {
  return crashSignals.has(exitCode);
}

/** Why the file could not be decoded at all; `null` if it was decoded, even with errors. */
export function failureOfDecoder(end: ToolEnd): AssetFailure | null {
  if (end.exitCode === 0) return null;
  const errorType = hasCrashed(end) ? 'corrupt_media' : classifyFfmpegError(end.stderr);
  return new AssetFailure(errorType, { cause: new Error(`ffmpeg: ${end.exitCode} ${end.stderr.slice(0, 500)}`) });
}

/** Concerns the raw output, for example if timestamps of the file decrease; the file itself was decoded. */
const muxerError = /non monotonically increasing dts to muxer/;

export function readDecoderLog(stderr: string): DecoderLog {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !muxerError.test(line));
  const repeated = lines.reduce(
    (sum, line) => sum + Number(/Last message repeated (\d+) times/.exec(line)?.[1] ?? 0),
    0,
  );
  const messages = lines.filter((line) => !/Last message repeated/.test(line)).map(withoutAddress);
  return { errorCount: messages.length + repeated, messages: [...new Set(messages)].slice(0, messagesMax) };
}

/** `[h264 @ 0x5581d0] text` → `h264: text`. Addresses are meaningless and differ between runs. */
function withoutAddress(line: string): string {
  return line.replace(/^\[([^\]@]+?) @ 0x[0-9a-f]+\] /, '$1: ').slice(0, messageCharactersMax);
}
