import type { VideoFormat } from '../signal/observer.ts';
import { observeFieldFlashes } from './observe-fields.ts';
import { type FlashObserver, observeFlashes } from './observe-flashes.ts';
import { observeTransparentFlashes } from './observe-transparent.ts';

/** A field has at least a line of chroma. */
const interlacedHeightMin = 4;

/** Opens the analysis that this kind of video needs: by frame or by field, opaque or over two backgrounds. */
export function openFlashObserver(format: VideoFormat): FlashObserver {
  const isInterlaced =
    (format.fieldOrder === 'tff' || format.fieldOrder === 'bff') && format.height >= interlacedHeightMin;
  const observe = isInterlaced ? observeFieldFlashes : observeFlashes;
  return format.hasAlpha ? observeTransparentFlashes(format, observe) : observe(format);
}
