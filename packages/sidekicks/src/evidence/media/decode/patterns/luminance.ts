import { type Colour, hlgGamma, hlgPeak, linearLightBy, referenceLuminance, toXyzBy } from '../signal/light.ts';

const codeCount = 256;

/** Fills `luminance` with the cd/m² of each pixel of packed 8-bit R'G'B'. */
type Luminance = (rgb: Uint8Array, luminance: Float32Array) => void;

export function createLuminance({ transfer, primaries }: Colour): Luminance {
  const isHlg = transfer === 'hlg';
  const linear = Float32Array.from({ length: codeCount }, (_, code) => linearLightBy[transfer](code / (codeCount - 1)));
  const ofPrimary = (weight: number) => linear.map((light) => light * weight * (isHlg ? 1 : referenceLuminance));
  const [redWeight, greenWeight, blueWeight] = toXyzBy[primaries][1];
  const [reds, greens, blues] = [ofPrimary(redWeight), ofPrimary(greenWeight), ofPrimary(blueWeight)];
  return (rgb, luminance) => {
    for (let pixel = 0, at = 0; pixel < luminance.length; pixel++, at += 3)
      luminance[pixel] =
        (reds[rgb[at] as number] as number) +
        (greens[rgb[at + 1] as number] as number) +
        (blues[rgb[at + 2] as number] as number);
    // HLG encodes scene light, to which the display applies its gamma.
    if (isHlg) for (let i = 0; i < luminance.length; i++) luminance[i] = hlgPeak * (luminance[i] as number) ** hlgGamma;
  };
}
