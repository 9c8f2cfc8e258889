import type { Recipe } from './recipe.ts';

/** Strange, but every player plays them: what guards against the others must not turn them away. */
export const honest: Recipe[] = [
  {
    name: 'honest/ts-of-three-recordings',
    filename: 'film.ts',
    make: ({ seed }) => Buffer.concat(Array(3).fill(seed('long.ts')) as Buffer[]),
    hasBitten: true,
    expected: ['complete'],
  },
  {
    name: 'honest/aac-whose-length-is-guessed-too-short',
    filename: 'tone.aac',
    make: ({ seed }) => seed('quiet-end.aac'),
    hasBitten: true,
    expected: ['complete'],
  },
  {
    name: 'honest/mp3-whose-length-is-guessed-too-short',
    filename: 'tone.mp3',
    make: ({ seed }) => seed('quiet-end.mp3'),
    isSlow: true,
    expected: ['complete'],
  },
  {
    name: 'honest/wav-of-16-channels',
    filename: 'tone.wav',
    make: ({ seed }) => seed('many.wav'),
    expected: ['complete'],
  },
  {
    name: 'honest/mkv-of-one-picture-each-second',
    filename: 'film.mkv',
    make: ({ seed }) => seed('slow.mkv'),
    expected: ['complete'],
  },
];
