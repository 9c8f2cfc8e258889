import type { LevelSample, Observation, PictureFormat, SmallPicture } from '../observer.ts';
import { createSeries, type Range, type Series } from '../series.ts';
import { createBlackWatch } from './black.ts';
import { createFreezeWatch } from './freeze.ts';
import { createLevelWatch, type Levels } from './levels.ts';
import type { FieldCounts } from './observe-fields.ts';
import { createTiming, type Timing } from './timing.ts';

/** What the pictures of a film were like, without a judgement. */
export type PictureSeen = {
  /** As the file says it is. */
  claimed: Pick<PictureFormat, 'fieldOrder' | 'isFullRange' | 'matrix' | 'frameRate'>;
  timing: Timing;
  black: Range[];
  /** Without what is black. */
  freeze: Range[];
  levels: Levels;
  /** Mean luma of the picture, 0 to 1. */
  luminance: Series;
};

/** With what was said of their fields. */
export type PictureRecord = PictureSeen & { fields: FieldCounts };

const luminanceStepSeconds = 0.1;

export const observePicture: Observation<PictureSeen> = {
  taps: ['picture', 'levels'],
  open: ({ picture }) => (picture ? createPictureObserver(picture) : null),
};

function createPictureObserver(format: PictureFormat) {
  const { fieldOrder, isFullRange, matrix, frameRate } = format;
  const timing = createTiming(frameRate);
  const black = createBlackWatch(matrix);
  const freeze = createFreezeWatch();
  const levels = createLevelWatch(format);
  const luminance = createSeries({ stepSeconds: luminanceStepSeconds, pool: 'mean' });

  return {
    picture({ seconds, rgb }: SmallPicture): void {
      timing.take(seconds);
      const { isBlack, meanLuma } = black.take(seconds, rgb);
      freeze.take(seconds, isBlack ? null : rgb);
      luminance.add(seconds, meanLuma);
    },

    levels(sample: LevelSample): void {
      levels.take(sample);
    },

    end(): PictureSeen {
      const times = timing.end();
      return {
        claimed: { fieldOrder, isFullRange, matrix, frameRate },
        timing: times,
        black: black.end(times.endSeconds),
        freeze: freeze.end(times.endSeconds),
        levels: levels.end(times.endSeconds),
        luminance: luminance.end(),
      };
    },
  };
}
