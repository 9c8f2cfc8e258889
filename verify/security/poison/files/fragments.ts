import { latin, repeatBytes, u8 } from '../formats/bytes.ts';
import type { Recipe, SeedName } from '../formats/recipe.ts';
import { recipesOf, refusedOutcomes } from '../formats/rows.ts';
import { randomOf } from '../formats/seeded-random.ts';

const emptyFiles: Recipe[] = ['video.mp4', 'video.mkv', 'video.ts', 'tone.mp3', 'a.gif', 'note.txt'].map(
  (filename) => ({
    name: `fragments/${filename}-of-no-bytes`,
    filename,
    make: () => Buffer.alloc(0),
    expected: filename === 'note.txt' ? ['refused 415', 'complete'] : ['refused 415'],
  }),
);

const headLengths: [seed: SeedName, bytes: number][] = [
  ['head-first.mp4', 32],
  ['video.mov', 20],
  ['video.mkv', 48],
  ['video.webm', 48],
  ['video.avi', 12],
  ['video.mpg', 14],
  ['video.ts', 189],
  ['video.ts', 400],
  ['video.mxf', 24],
  ['tone.mp3', 10],
  ['tone.wav', 44],
  ['tone.flac', 4],
  ['tone.flac', 42],
  ['tone.ogg', 58],
  ['tone.aiff', 12],
  ['tone.aac', 7],
  ['moving.gif', 13],
  ['still.png', 33],
];
/** Formats whose header alone is a complete file: images without pixels, audio without samples. */
const withoutContent: SeedName[] = ['moving.gif', 'still.png', 'tone.wav'];
const headOnlyFiles: Recipe[] = headLengths.map(([seed, bytes]) => ({
  name: `fragments/first-${bytes}-bytes-of-${seed}`,
  filename: seed,
  make: ({ seed: take }) => take(seed).subarray(0, bytes),
  expected: ['refused 415', 'corrupt_media', ...(withoutContent.includes(seed) ? (['complete'] as const) : [])],
}));

const signatures: [filename: string, signature: Buffer][] = [
  ['video.mp4', latin('\0\0\0\x18ftypisom\0\0\0\0isommp42')],
  ['video.mkv', Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282886d6174726f736b61', 'hex')],
  ['video.avi', latin('RIFF\xff\xff\xff\x00AVI LIST')],
  ['video.mpg', Buffer.from('000001ba', 'hex')],
  ['tone.mp3', latin('ID3\x03\0\0\0\0\0\0')],
  ['tone.mp3', Buffer.from('fffb9064', 'hex')],
  ['tone.aac', Buffer.from('fff15080', 'hex')],
  ['tone.wav', latin('RIFF\xff\xff\xff\x00WAVEfmt ')],
  ['tone.flac', latin('fLaC\0\0\0\x22')],
  ['tone.ogg', latin('OggS\0\x02')],
  ['tone.aiff', latin('FORM\0\xff\xff\xffAIFFCOMM')],
  ['a.gif', latin('GIF89a')],
  ['video.mxf', Buffer.from('060e2b34020501010d0102010102', 'hex')],
];
const noiseBytes = 60_000;
/** A correct signature followed by noise. */
const noiseFiles: Recipe[] = signatures.map(([filename, signature], i) => ({
  name: `fragments/noise-after-the-signature-of-${filename}-${i}`,
  filename,
  make: () => {
    const random = randomOf(77 + i);
    return Buffer.concat([signature, Buffer.from(Array.from({ length: noiseBytes }, () => random.between(0, 255)))]);
  },
  expected: [
    'refused 415',
    'corrupt_media',
    'unsupported_codec',
    'complete',
    'resource_limit_exceeded',
    'media_too_long',
  ],
}));

const signatureFiles: Recipe[] = ['video.mp4', 'video.mkv', 'video.ts', 'tone.wav', 'tone.mp3'].flatMap((filename) =>
  recipesOf('fragments', filename, [
    [`${filename}-of-text`, () => latin('not a video\n'.repeat(500)), refusedOutcomes],
    [`${filename}-of-zeros`, () => Buffer.alloc(20_000), refusedOutcomes],
  ]),
);

const emptyPacket = Buffer.alloc(188, 0xff).fill(u8(0x47, 0x1f, 0xff, 0x10), 0, 4);
/** Every packet starts correctly and is empty. */
const emptyPacketFiles = recipesOf('fragments', 'video.ts', [
  ['ts-of-empty-packets', () => repeatBytes(500, emptyPacket), ['corrupt_media', 'refused 415']],
]);

export const fragmentFiles: Recipe[] = [
  ...emptyFiles,
  ...headOnlyFiles,
  ...noiseFiles,
  ...signatureFiles,
  ...emptyPacketFiles,
];
