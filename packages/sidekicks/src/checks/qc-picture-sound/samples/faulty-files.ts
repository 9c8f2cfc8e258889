import { film, paint, type Recipe, shownAt } from './film.ts';

const lossy = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20'];
const apart = (from: number, to: number) =>
  ({ ruleCode: 'QC-AV-LENGTH', startMs: from * 1000, endMs: to * 1000 }) as const;

/** Files that are not whole, or whose parts do not fit. */
export const brokenFiles: Recipe[] = [
  film({
    name: 'an mp4 of which the second half is missing',
    video: [...lossy, '-movflags', '+faststart'],
    keptShare: 0.5,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'a mov of which the last third is missing',
    extension: 'mov',
    video: [...lossy, '-movflags', '+faststart'],
    keptShare: 0.66,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'an mkv of which the second half is missing',
    extension: 'mkv',
    video: lossy,
    keptShare: 0.5,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'an avi of which the last third is missing',
    extension: 'avi',
    keptShare: 0.66,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'a wav of which the second half is missing',
    extension: 'wav',
    picture: null,
    keptShare: 0.5,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'a flac of which the second half is missing',
    extension: 'flac',
    picture: null,
    keptShare: 0.5,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'an mp4 with a hole',
    video: lossy,
    damagedBytes: 6000,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'an mkv with a hole',
    extension: 'mkv',
    video: lossy,
    damagedBytes: 400,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  film({
    name: 'a flac with a hole',
    extension: 'flac',
    picture: null,
    damagedBytes: 400,
    truth: [{ ruleCode: 'QC-TRUNCATED' }],
  }),
  ...['mp4', 'mov', 'mkv'].flatMap((extension) => [
    film({ name: `sound that ends early (${extension})`, extension, soundSeconds: 6.5, truth: [apart(6.5, 8)] }),
    film({ name: `sound that goes on (${extension})`, extension, soundSeconds: 9.2, truth: [apart(8, 9.2)] }),
  ]),
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    film({ name: `no sound in ${extension}`, extension, sound: null, truth: [{ ruleCode: 'QC-NO-AUDIO' }] }),
  ),
  film({
    name: 'black, then sound that goes on',
    picture: paint('black', 1, 4),
    soundSeconds: 9,
    truth: [{ ruleCode: 'QC-BLACK', startMs: shownAt(1), endMs: shownAt(4) }, apart(8, 9)],
  }),
];
