import { clip, fillFrame, frameTimeMs, type Recipe } from './clip.ts';

const lossyEncoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'];
const endsApart = (from: number, to: number) =>
  ({ ruleCode: 'QC-AV-LENGTH', startMs: from * 1000, endMs: to * 1000 }) as const;

/** What is missing or cannot be decoded is not examined. */
const brokenFile = [{ ruleCode: 'QC-TRUNCATED' }, { ruleCode: 'QC-NOT-VERIFIED' }] as const;

/** Files that are incomplete or damaged, or whose streams do not match. */
export const brokenFiles: Recipe[] = [
  clip({
    name: 'an mp4 without its second half',
    video: [...lossyEncoding, '-movflags', '+faststart'],
    keptShare: 0.5,
    expected: brokenFile,
  }),
  clip({
    name: 'a mov without its last third',
    extension: 'mov',
    video: [...lossyEncoding, '-movflags', '+faststart'],
    keptShare: 0.66,
    expected: brokenFile,
  }),
  clip({
    name: 'an mkv without its second half',
    extension: 'mkv',
    video: lossyEncoding,
    keptShare: 0.5,
    expected: brokenFile,
  }),
  clip({
    name: 'an avi without its last third',
    extension: 'avi',
    keptShare: 0.66,
    expected: brokenFile,
  }),
  clip({
    name: 'a wav without its second half',
    extension: 'wav',
    videoFilter: null,
    keptShare: 0.5,
    expected: brokenFile,
  }),
  clip({
    name: 'a flac without its second half',
    extension: 'flac',
    videoFilter: null,
    keptShare: 0.5,
    expected: brokenFile,
  }),
  clip({
    name: 'an mp4 with overwritten bytes',
    video: lossyEncoding,
    damagedBytes: 6000,
    expected: brokenFile,
  }),
  clip({
    name: 'an mkv with overwritten bytes',
    extension: 'mkv',
    video: lossyEncoding,
    damagedBytes: 400,
    expected: brokenFile,
  }),
  clip({
    name: 'a flac with overwritten bytes',
    extension: 'flac',
    videoFilter: null,
    damagedBytes: 400,
    expected: brokenFile,
  }),
  ...['mp4', 'mov', 'mkv'].flatMap((extension) => [
    clip({ name: `audio that ends early (${extension})`, extension, audioSeconds: 6.5, expected: [endsApart(6.5, 8)] }),
    clip({ name: `audio that ends late (${extension})`, extension, audioSeconds: 9.2, expected: [endsApart(8, 9.2)] }),
  ]),
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    clip({
      name: `no video in ${extension}`,
      extension,
      videoFilter: null,
      expected: [{ ruleCode: 'QC-NO-VIDEO' }],
    }),
  ),
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    clip({
      name: `no audio in ${extension}`,
      extension,
      audioExpression: null,
      expected: [{ ruleCode: 'QC-NO-AUDIO' }],
    }),
  ),
  clip({
    name: 'black, and audio that ends late',
    videoFilter: fillFrame('black', 1, 4),
    audioSeconds: 9,
    expected: [{ ruleCode: 'QC-BLACK', startMs: frameTimeMs(1), endMs: frameTimeMs(4) }, endsApart(8, 9)],
  }),
];
