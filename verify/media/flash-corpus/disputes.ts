import type { Clip } from './corpus.ts';

/** A label that contradicts the data of its clip; `isSafe` is the verdict of the standard on these data. */
export type Dispute = { isSafe: boolean; because: string };

const sevenNotSix = 'labelled as 6 transitions, but its table of colours has 7 transitions in the first 8 frames';
const sevenInTime = 'labelled as at most 3 flashes per second, but its table has 7 transitions within 27 frames';
const tooSmall = 'labelled as 25 % or more of a 341 × 256 window, but the fullest window of its mask has less';

const disputes: Record<string, Dispute> = {
  'broadcast_30fps_01/f005cr006': { isSafe: false, because: sevenNotSix },
  'trace24_30fps_01/f001cr007': { isSafe: false, because: sevenNotSix },
  'trace24_30fps_01/f008cr003': { isSafe: false, because: sevenNotSix },
  'trace24_30fps_01/f009cr005': { isSafe: false, because: sevenNotSix },
  'trace24_30fps_inf01/f003cr013a_a004fr013': { isSafe: false, because: sevenInTime },
  'trace24_30fps_inf01/f011cr013a_f007cr013': { isSafe: false, because: sevenInTime },
  'wcagc_30fps_area01/f011f014': { isSafe: true, because: tooSmall },
  'wcagc_30fps_area02/f012fr014': { isSafe: true, because: tooSmall },
  'wcagc_30fps_area03/f011f005': { isSafe: true, because: tooSmall },
  'wcagc_30fps_area03/f012fr013': { isSafe: true, because: tooSmall },
  'broadcast_30fps_inf02/f001tf03_f003ico03': {
    isSafe: false,
    because:
      'the set is labelled FAIL, the clip’s own file pass; 7 transitions of 90 to 125 within 30 frames confirm the set',
  },
  'broadcast_30fps_inf02/f003tf01_f005ico01': {
    isSafe: true,
    because: 'the set is labelled FAIL, the clip’s own file pass; it only changes from 64 to 90, a luminance of 0.05',
  },
};

export const disputedNames: readonly string[] = Object.keys(disputes);

export function disputeOf({ set, name }: Clip): Dispute | null {
  return disputes[`${set}/${name}`] ?? null;
}

/** The label, or the verdict of the standard if the label is disputed. */
export function isSafeByText(clip: Clip): boolean {
  return disputeOf(clip)?.isSafe ?? clip.isSafe;
}
