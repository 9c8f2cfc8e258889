import type { ObserverDefinition } from '../signal/observer.ts';

/**
 * When the frames first change their size, pixel format or rotation; null if they never do. ffmpeg then starts its
 * filters again, and these count the frames from 0.
 */
export const observeFormatChange: ObserverDefinition<{ atSeconds: number | null }> = {
  taps: ['fields'],
  open: ({ video }) => {
    if (!video) return null;
    let atSeconds: number | null = null;
    return {
      field: ({ seconds, isRestart }) => {
        if (isRestart) atSeconds ??= seconds;
      },
      end: () => ({ atSeconds }),
    };
  },
};
