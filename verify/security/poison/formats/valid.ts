import type { Recipe } from './recipe.ts';
import { fromSeed, recipesByFile } from './rows.ts';

/** Unusual files that every player can play: the limits against hostile files must not reject them. */
export const unusualValidFiles: Recipe[] = recipesByFile('valid', {
  'video.ts': [
    [
      'ts-of-three-recordings',
      fromSeed('long.ts', (video) => Buffer.concat([video, video, video])),
      { isRegression: true },
    ],
  ],
  'tone.aac': [['aac-whose-length-is-guessed-too-short', fromSeed('quiet-end.aac'), { isRegression: true }]],
  'tone.mp3': [['mp3-whose-length-is-guessed-too-short', fromSeed('quiet-end.mp3'), { isSlow: true }]],
  'tone.wav': [['wav-of-16-channels', fromSeed('many.wav')]],
  'video.mkv': [['mkv-of-one-frame-each-second', fromSeed('slow.mkv')]],
});
