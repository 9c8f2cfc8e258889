import type { AssetErrorType } from '@assay/contract/asset-failures.ts';

/** Error messages of ffmpeg and ffprobe → the cause in the file. The first match counts. */
const causes: [RegExp, AssetErrorType][] = [
  [
    /Picture size \d+x\d+ |exceeds? (?:the (?:limit|maximum)|max_streams)|Cannot allocate memory|Failed to compensate for timestamp/i,
    'resource_limit_exceeded',
  ],
  [
    /Decoder .*not found|Unknown decoder|no decoder|unsupported codec|not implemented|could not find codec parameters|audio frame properties on the fly/i,
    'unsupported_codec',
  ],
  [/encrypt|decryption/i, 'encrypted_media'],
];

/** Derives why a file could not be read from the error messages of ffmpeg or ffprobe. */
export function classifyFfmpegError(stderr: string): AssetErrorType {
  return causes.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'corrupt_media';
}
