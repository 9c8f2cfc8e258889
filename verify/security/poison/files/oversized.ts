import { resizeJpeg } from '@assay/sidekicks/evidence/file/samples/make-image.ts';
import { be, overwrite } from '../formats/bytes.ts';
import { changeBoxes, sampleTable } from '../formats/iso-media.ts';
import { block, cluster, matroskaOf, number, videoTrack } from '../formats/matroska.ts';
import type { Recipe, Verdict } from '../formats/recipe.ts';
import { fromSeed, heavyOutcomes, type Row, readableOrNotOutcomes, recipesByFile } from '../formats/rows.ts';
import { apng, blackRows, gif, gifFrame, pngChunk, pngHeader, pngSignature } from './animation.ts';

const tooLargeOutcomes: readonly Verdict[] = ['resource_limit_exceeded'];
/** Outcomes for a small frame that claims to be large: either the claimed or the decoded size may count. */
const tooLargeOrNotOutcomes: readonly Verdict[] = ['resource_limit_exceeded', 'corrupt_media', 'complete'];

/** A video of JPEG frames, 40 ms each. */
const slides = (width: number, height: number, frames: Buffer[]) =>
  matroskaOf([videoTrack(1, width, height)], cluster(0, ...frames.map((frame, i) => block(1, 40 * i, frame))));

const repeatFrame = (count: number, frame: Buffer) => Array<Buffer>(count).fill(frame);

/** A video with a different frame size in its sample description. */
const claimSize = (width: number, height: number) =>
  fromSeed('head-last.mp4', (video) =>
    changeBoxes(video, [...sampleTable, 'stsd'], (payload) =>
      payload.includes('avc1') ? overwrite(payload, 8 + 32, be.u16(width, height)) : payload,
    ),
  );

const transportStreams: Row[] = [
  ['grows-to-8k-midway-ts', ({ seed }) => Buffer.concat([seed('video.ts'), seed('8k.ts')]), tooLargeOrNotOutcomes],
  ['grows-twofold-midway-ts', ({ seed }) => Buffer.concat([seed('video.ts'), seed('larger.ts')])],
];

const changingSize = (still: Buffer) =>
  Array.from({ length: 60 }, (_, i) => resizeJpeg(still, 16 + 97 * (i % 17), 16 + 61 * (i % 13)));

const slideshows: Row[] = [
  [
    'grows-to-8k-midway-mkv',
    ({ seed }) =>
      slides(160, 90, [...repeatFrame(3, seed('still.jpg')), seed('8k.jpg'), ...repeatFrame(2, seed('still.jpg'))]),
    tooLargeOrNotOutcomes,
  ],
  [
    'grows-twofold-midway-mkv',
    ({ seed }) => slides(160, 90, [...repeatFrame(20, seed('still.jpg')), ...repeatFrame(200, seed('larger.jpg'))]),
  ],
  [
    'shrinks-by-half-midway-mkv',
    ({ seed }) => slides(320, 180, [...repeatFrame(20, seed('larger.jpg')), ...repeatFrame(200, seed('still.jpg'))]),
  ],
  [
    'changes-the-format-of-its-pixels-each-time',
    ({ seed }) =>
      slides(
        160,
        90,
        Array(100)
          .fill([seed('other-format.jpg'), seed('still.jpg')])
          .flat(),
      ),
  ],
  [
    'begins-with-8k-then-small',
    ({ seed }) => slides(160, 90, [seed('8k.jpg'), ...repeatFrame(10, seed('still.jpg'))]),
    tooLargeOrNotOutcomes,
  ],
  [
    'changes-its-size-with-every-frame',
    fromSeed('still.jpg', (still) => slides(160, 90, changingSize(still))),
    { isRegression: true, expected: tooLargeOrNotOutcomes },
  ],
  ...[65_500, 20_000].map(
    (side): Row => [
      `jpeg-that-claims-${side}`,
      fromSeed('still.jpg', (still) => slides(side, side, repeatFrame(5, resizeJpeg(still, side, side)))),
      { isRegression: true, expected: ['resource_limit_exceeded', 'corrupt_media'] },
    ],
  ),
  [
    'mkv-that-claims-2^32-pixels-a-side',
    fromSeed('still.jpg', (still) => slides(2 ** 32 - 1, 2 ** 32 - 1, [still, still])),
    tooLargeOrNotOutcomes,
  ],
  ['mkv-of-no-size', fromSeed('still.jpg', (still) => slides(0, 0, [still, still])), readableOrNotOutcomes],
  ['thousand-frames-a-second-mkv', fromSeed('thousand-a-second.mkv')],
  ['mkv-that-claims-a-frame-each-nanosecond', fromSeed('still.jpg', frameEachNanosecond)],
  [
    '1500-frames-at-one-moment',
    fromSeed('still.jpg', (still) => matroskaOf([videoTrack(1)], cluster(0, ...repeatFrame(1500, block(1, 0, still))))),
    readableOrNotOutcomes,
  ],
];

function frameEachNanosecond(still: Buffer): Buffer {
  const blocks = Array.from({ length: 50 }, (_, i) => block(1, i, still));
  return matroskaOf([videoTrack(1, 160, 90, number('DefaultDuration', 1))], cluster(0, ...blocks));
}

const images: Row[] = [
  [
    'png-of-30000-in-a-few-kilobytes',
    () => {
      const pixels = pngChunk('IDAT', blackRows(30_000, 100));
      return Buffer.concat([pngSignature, pngHeader(30_000, 30_000), pixels, pngChunk('IEND')]);
    },
    heavyOutcomes,
  ],
  [
    'apng-of-20000',
    () => apng(20_000, 2000, Array(2).fill({ width: 20_000, height: 2000, delay: [1, 10] })),
    heavyOutcomes,
  ],
];

export const oversizedFiles: Recipe[] = recipesByFile('oversized', {
  '8k.mp4': [['8k-h264-mp4', fromSeed('8k.mp4'), tooLargeOutcomes]],
  '8k.ts': [['8k-h264-ts', fromSeed('8k.ts'), tooLargeOutcomes]],
  '16k.mkv': [['16k-png-mkv', fromSeed('16k.mkv'), tooLargeOutcomes]],
  '16k.mov': [['16k-png-mov', fromSeed('16k.mov'), tooLargeOutcomes]],
  'video.ts': transportStreams,
  'video.mkv': slideshows,
  'video.mp4': [
    ['mp4-that-claims-65535', claimSize(65_535, 65_535), tooLargeOrNotOutcomes],
    ['mp4-that-claims-one-line-of-65535', claimSize(65_535, 1), tooLargeOrNotOutcomes],
    ['thousand-frames-a-second-mp4', fromSeed('thousand-a-second.mp4')],
  ],
  'a.gif': [
    [
      'gif-of-65535',
      () => gif(65_535, 65_535, gifFrame(10), gifFrame(10, 65_535, 65_535), gifFrame(10)),
      heavyOutcomes,
    ],
  ],
  'a.png': images,
});
