import type { VideoFormat } from '../signal/observer.ts';
import { joinFlashes } from './join-flashes.ts';
import type { FlashObserver } from './observe-flashes.ts';
import { frameBytesOf } from './tracker.ts';

/**
 * Analyses transparent frames twice: over black and over white. Nobody knows what will be behind them, and what flashes
 * on one of the two may be invisible on the other.
 */
export function observeTransparentFlashes(
  format: VideoFormat,
  observe: (format: VideoFormat) => FlashObserver,
): FlashObserver {
  const colourBytes = frameBytesOf(format);
  const frame = new Uint8Array((colourBytes / 3) * 4);
  const [onBlack, onWhite] = [observe(format), observe(format)];
  const whole = 2 ** format.bits - 1;
  const codesOf = (bytes: Uint8Array) => {
    return format.bits > 8 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2) : bytes;
  };
  const codes = codesOf(frame);
  const pixels = format.width * format.height;

  /** Alpha is straight: colours are not yet multiplied by it. */
  function compose(black: Uint8Array | Uint16Array, white: Uint8Array | Uint16Array): void {
    for (let plane = 0; plane < 3; plane++) {
      for (let pixel = 0, at = plane * pixels; pixel < pixels; pixel++, at++) {
        const alpha = codes[3 * pixels + pixel] as number;
        const light = Math.round(((codes[at] as number) * alpha) / whole);
        black[at] = light;
        white[at] = light + whole - alpha;
      }
    }
  }

  return {
    next: () => frame,
    processFrame(seconds) {
      compose(codesOf(onBlack.next()), codesOf(onWhite.next()));
      onBlack.processFrame(seconds);
      onWhite.processFrame(seconds);
    },
    end: () => joinFlashes(onBlack.end(), onWhite.end()),
  };
}
