import type { PictureFormat } from '../observer.ts';

/** The shares of red and blue in luma; green has the rest. ITU-R BT.601, BT.709, BT.2020. */
export const lumaShares: Readonly<Record<PictureFormat['matrix'], { red: number; blue: number }>> = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
};
