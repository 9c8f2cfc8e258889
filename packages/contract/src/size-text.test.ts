import { expect, test } from 'vitest';
import { assetBytesMax } from './limits.ts';
import { describeTooLarge } from './size-text.ts';

test('describeTooLarge never shows a size above the limit as the limit itself', () => {
  const { image } = assetBytesMax;
  expect(describeTooLarge('video', 6.2 * 1024 ** 3)).toBe('Videos can be up to 5 GiB; this one is 6.2 GiB.');
  expect(describeTooLarge('video', 5.03 * 1024 ** 3)).toBe('Videos can be up to 5 GiB; this one is 5.03 GiB.');
  expect(describeTooLarge('image', image + 1)).toBe('Images can be up to 50 MiB; this one is larger by 1 B.');
});
