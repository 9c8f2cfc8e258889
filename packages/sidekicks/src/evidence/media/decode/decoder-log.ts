import { AssetFailure } from '@assay/contract/asset-failures.ts';
import type { ToolEnd } from '@assay/jail/run-tool.ts';
import { classifyFfmpegError } from '../probe/classify-ffmpeg-error.ts';

/** Errors that the demuxer and the decoders reported. */
export type DecoderLog = {
  errorCount: number;
  /** Of these errors, those that are not known to be about audio. */
  videoErrorCount: number;
  messages: string[];
};

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
  const { errorType, reason } = hasCrashed(end)
    ? ({ errorType: 'corrupt_media', reason: 'the decoder crashed twice' } as const)
    : classifyFfmpegError(end.stderr);
  const cause = new Error(`ffmpeg: ${end.exitCode} ${end.stderr.slice(0, 500)}`);
  return new AssetFailure(errorType, `ffmpeg exited with ${end.exitCode}: ${reason}`, { cause });
}

/** The muxers of ffmpeg's outputs. No demuxer of an accepted format and no decoder has one of these names. */
export const muxers = { video: 'data', samples: 'f32le', none: 'null' } as const;

/**
 * Matches a component in front of a message (`[h264 @ 0x5581d0] …`) that says nothing about the file, because it works
 * on decoded frames. Every other component is a demuxer, a parser, a bitstream filter or a decoder, which have hundreds
 * of names.
 */
const outputComponents: readonly RegExp[] = [
  new RegExp(`^(?:${Object.values(muxers).join('|')})$`),
  /^wrapped_avframe$/, // the encoder of `-f null`; those of the other outputs report nothing
  /^(?:Parsed_|auto_|graph |out_|format_|trim|buffer|abuffer)/, // filters, named by the filter graph
  /^(?:AVFilterGraph|swscaler|SWR|fc#|vf#|af#)/,
  /^(?:out#|vost#|aost#|enc:|mux)/, // ffmpeg 6 and later
];

/** Messages of the program itself have no component. These are about its input; the others are about its outputs. */
const inputMessages: readonly RegExp[] = [
  /^Error while decoding stream #/,
  /^Error (?:submitting|sending) (?:a )?packet to (?:the )?decoder/,
  /^\/in: /, // the path of the input inside the jail
];

/** ffmpeg's names of decoders for audio. A demuxer may also have one of them, and is then that of an audio file. */
const audioComponent =
  /^(?:aac(?:_|$)|mp[123](?:float|adu|on4)?|mp[123]adufloat|e?ac3|ac3_fixed|dca|dts|truehd|mlp|opus|libopus|vorbis|libvorbis|flac|alac|wav|aiff|pcm_|adpcm_|wma|amr|libopencore_amr|speex|libspeex|wavpack|tta|ape|cook|qdm|atrac)/;
const streamError = /^Error while decoding stream #\d+:(\d+)/;

const repetitionLine = /^\s*Last message repeated (\d+) times/;

/** Counts what the demuxer and the decoders reported. What ffmpeg says about its own outputs never counts. */
export function readDecoderLog(stderr: string, videoStream: number | null = null): DecoderLog {
  const messages: string[] = [];
  let [errorCount, videoErrorCount] = [0, 0];
  // Whether the previous message was counted; a repetition refers to it.
  let isCounted = false;
  let isVideo = false;
  for (const line of stderr.split(/[\r\n]+/)) {
    if (line.trim() === '') continue;
    const repeated = repetitionLine.exec(line)?.[1];
    if (repeated !== undefined) {
      if (isCounted) errorCount += Number(repeated);
      if (isCounted && isVideo) videoErrorCount += Number(repeated);
      continue;
    }
    isCounted = isAboutInput(line);
    if (!isCounted) continue;
    isVideo = !isAboutAudio(line, videoStream);
    errorCount++;
    if (isVideo) videoErrorCount++;
    messages.push(stripAddress(line));
  }
  return { errorCount, videoErrorCount, messages: [...new Set(messages)].slice(0, messagesMax) };
}

/** A component may be preceded by the component that it is part of; then the first of the two decides. */
function isAboutInput(line: string): boolean {
  const component = componentOf(line);
  if (component === undefined) return inputMessages.some((pattern) => pattern.test(line));
  return !outputComponents.some((pattern) => pattern.test(component));
}

/** Whether the message is about another stream than the video. Most messages of a demuxer do not say which. */
function isAboutAudio(line: string, videoStream: number | null): boolean {
  const stream = streamError.exec(line)?.[1];
  if (stream !== undefined) return Number(stream) !== videoStream;
  return audioComponent.test(componentOf(line) ?? '');
}

function componentOf(line: string): string | undefined {
  return /^\[([^\]@]+?) @ (?:0x)?[0-9a-f]+\]/.exec(line)?.[1];
}

/** `[h264 @ 0x5581d0] text` → `h264: text`. Addresses are meaningless and differ between runs. */
function stripAddress(line: string): string {
  return line.replace(/^\[([^\]@]+?) @ (?:0x)?[0-9a-f]+\] /, '$1: ').slice(0, messageCharactersMax);
}
