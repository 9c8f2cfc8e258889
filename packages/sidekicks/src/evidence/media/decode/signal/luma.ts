import type { VideoFormat } from './observer.ts';

/** The weights of red and blue in luma according to ITU-R BT.601, BT.709 and BT.2020; the rest is green. */
export const lumaShares: Readonly<Record<VideoFormat['matrix'], { red: number; blue: number }>> = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
};
