import { createPatternWatch } from '../patterns/pattern-watch.ts';
import type { Patterns } from '../patterns/patterns.ts';
import type { LevelSample, ObserverDefinition, SmallFrame, VideoFormat } from '../signal/observer.ts';
import { createSeries, type Range, type Series } from '../signal/series.ts';
import { createBlackWatch } from './black.ts';
import { createFreezeWatch } from './freeze.ts';
import { createLevelWatch, type Levels } from './levels.ts';
import type { FieldCounts } from './observe-fields.ts';
import { createTiming, type FrameTiming } from './timing.ts';

/** Measurements of the frames, without a verdict. */
export type ObservedVideo = {
  /** What the file declares. */
  claimed: Pick<VideoFormat, 'fieldOrder' | 'isFullRange' | 'matrix' | 'frameRate'>;
  timing: FrameTiming;
  black: Range[];
  /** Frozen ranges, not counting black frames. */
  freeze: Range[];
  levels: Levels;
  /** Mean luma of the frame, 0 to 1. */
  luminance: Series;
  patterns: Patterns;
};

/** The video evidence: it includes the field orders, while patterns are evidence of their own. */
export type VideoRecord = Omit<ObservedVideo, 'patterns'> & {
  fields: FieldCounts;
  /** When the frames first change their size, pixel format or rotation; null if they never do. */
  formatChangeSeconds: number | null;
};

const luminanceStepSeconds = 0.1;

export const observeVideo: ObserverDefinition<ObservedVideo> = {
  taps: ['smallFrames', 'levels'],
  open: ({ video }) => (video ? createVideoObserver(video) : null),
};

function createVideoObserver(format: VideoFormat) {
  const { fieldOrder, isFullRange, matrix, frameRate } = format;
  const timing = createTiming(frameRate);
  const black = createBlackWatch(matrix);
  const freeze = createFreezeWatch();
  const levels = createLevelWatch(format);
  const luminance = createSeries({ stepSeconds: luminanceStepSeconds, pool: 'mean' });
  const patterns = createPatternWatch(format);

  return {
    frame({ seconds, rgb }: SmallFrame): void {
      timing.take(seconds);
      const { isBlack, meanLuma } = black.take(seconds, rgb);
      freeze.take(seconds, isBlack ? null : rgb);
      luminance.add(seconds, meanLuma);
      patterns.take(seconds, rgb);
    },

    levels(sample: LevelSample): void {
      levels.take(sample);
    },

    end(): ObservedVideo {
      const times = timing.end();
      return {
        claimed: { fieldOrder, isFullRange, matrix, frameRate },
        timing: times,
        black: black.end(times.endSeconds),
        freeze: freeze.end(times.endSeconds),
        levels: levels.end(times.endSeconds),
        luminance: luminance.end(),
        patterns: patterns.end(),
      };
    },
  };
}
