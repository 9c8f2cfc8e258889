import type { Recipe } from './recipe.ts';

/** Unusual files that every player can play: the limits against hostile files must not reject them. */
export const valid: Recipe[] = [
  {
    name: 'valid/ts-of-three-recordings',
    filename: 'video.ts',
    make: ({ seed }) => Buffer.concat(Array(3).fill(seed('long.ts')) as Buffer[]),
    isRegression: true,
    expected: ['complete'],
  },
  {
    name: 'valid/aac-whose-length-is-guessed-too-short',
    filename: 'tone.aac',
    make: ({ seed }) => seed('quiet-end.aac'),
    isRegression: true,
    expected: ['complete'],
  },
  {
    name: 'valid/mp3-whose-length-is-guessed-too-short',
    filename: 'tone.mp3',
    make: ({ seed }) => seed('quiet-end.mp3'),
    isSlow: true,
    expected: ['complete'],
  },
  {
    name: 'valid/wav-of-16-channels',
    filename: 'tone.wav',
    make: ({ seed }) => seed('many.wav'),
    expected: ['complete'],
  },
  {
    name: 'valid/mkv-of-one-frame-each-second',
    filename: 'video.mkv',
    make: ({ seed }) => seed('slow.mkv'),
    expected: ['complete'],
  },
];
