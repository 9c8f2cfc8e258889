import type { AssetErrorType } from '@assay/contract/asset-failures.ts';

/**
 * Maps error messages of ffmpeg and ffprobe to the cause in the file, as described to callers and to the operator. The
 * first match counts. Only the digits in a group are added to the reason: the rest of a message may contain text from
 * the file.
 */
const causes: [RegExp, AssetErrorType, reason: string][] = [
  [/Picture size (\d+x\d+) /i, 'resource_limit_exceeded', 'a frame is larger than allowed'],
  [/exceeds? max_streams/i, 'resource_limit_exceeded', 'more streams than allowed'],
  [/exceeds? (?:the (?:limit|maximum))/i, 'resource_limit_exceeded', 'a limit of the decoder was exceeded'],
  [/Cannot allocate memory/i, 'resource_limit_exceeded', 'it needed more memory than its limit'],
  [/Failed to compensate for timestamp/i, 'resource_limit_exceeded', 'timestamps too far apart to be filled'],
  [
    /Decoder .*not found|Unknown decoder|no decoder|unsupported codec|not implemented|could not find codec parameters|audio frame properties on the fly/i,
    'unsupported_codec',
    'no decoder for this stream',
  ],
  [/encrypt|decryption/i, 'encrypted_media', 'it reports encryption'],
];

/** Derives why a file could not be read from the error messages of ffmpeg or ffprobe. */
export function classifyFfmpegError(stderr: string): { errorType: AssetErrorType; reason: string } {
  for (const [pattern, errorType, reason] of causes) {
    const match = pattern.exec(stderr);
    if (match) return { errorType, reason: match[1] ? `${reason}: ${match[1]}` : reason };
  }
  return { errorType: 'corrupt_media', reason: 'it could not read the file' };
}
