import type { VideoFormat } from '../signal/observer.ts';
import { createFieldSplitter, fieldFormatOf } from './fields.ts';
import { type FlashObserver, observeFlashes } from './observe-flashes.ts';
import { frameBytesOf, type Lines } from './tracker.ts';

/** A frame that is shown for longer than this has a gap behind it: its second field does not wait for half of it. */
const frameSecondsMax = 0.1;

/**
 * Analyses the two fields of each frame one after the other, because that is how they are shown: a flash that lasts for
 * one field fills only every second line of a frame.
 */
export function observeFieldFlashes(format: VideoFormat): FlashObserver {
  const frame = new Uint8Array(frameBytesOf(format));
  const observer = observeFlashes(fieldFormatOf(format));
  const takeField = createFieldSplitter(format);
  const [first, second]: [Lines, Lines] = format.fieldOrder === 'bff' ? ['odd', 'even'] : ['even', 'odd'];
  let halfSeconds = 0.5 / (format.frameRate ?? 25);
  let frameSeconds: number | null = null; // of the frame whose second field waits for the time of the next frame

  function endFrame(nextSeconds: number | null): void {
    if (frameSeconds === null) return;
    const duration = nextSeconds === null ? 0 : nextSeconds - frameSeconds;
    if (duration > 0 && duration <= frameSecondsMax) halfSeconds = duration / 2;
    observer.processFrame(frameSeconds + halfSeconds, second);
    frameSeconds = null;
  }

  return {
    next: () => frame,
    processFrame(seconds) {
      endFrame(seconds);
      takeField(frame, first, observer.next());
      observer.processFrame(seconds, first);
      takeField(frame, second, observer.next());
      frameSeconds = seconds;
    },
    end() {
      endFrame(null);
      const { width, height } = format;
      return { ...observer.end(), isByField: true, lookedAt: { width, height } };
    },
  };
}
