import { hlgGamma, hlgPeak, linearLightBy, referenceLuminance } from '../decode/signal/light.ts';
import type { VideoFormat } from '../decode/signal/observer.ts';

/**
 * How codes of a high dynamic range are shown in a JPEG; null for a standard range, which needs no conversion. The
 * reference white becomes a light grey, so that what is brighter still differs from it.
 */
export function createToneCurve(transfer: VideoFormat['transfer']): Uint8Array | null {
  if (transfer !== 'pq' && transfer !== 'hlg') return null;
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const linear = linearLightBy[transfer](code / 255);
    const light = transfer === 'hlg' ? (hlgPeak / referenceLuminance) * linear ** hlgGamma : linear;
    return Math.round(255 * toSrgb((light * 1.5) / (1 + light)));
  });
}

function toSrgb(light: number): number {
  const within = Math.min(1, light);
  return within <= 0.0031308 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055;
}
