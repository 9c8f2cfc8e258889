import type { AssetErrorType } from '@assay/contract/asset-failures.ts';

/** What ffmpeg and its kind complain of → what that says of the file; the first that fits. */
const meanings: [RegExp, AssetErrorType][] = [
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

/** Why a file could not be read, by the words of the program that could not. */
export function readComplaint(stderr: string): AssetErrorType {
  return meanings.find(([words]) => words.test(stderr))?.[1] ?? 'corrupt_media';
}
