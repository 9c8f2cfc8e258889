/** Converts packed R'G'B' to planes G', B' and R', the format in which RGB videos are analysed. */
export function toPlanes(rgb: Uint8Array): Uint8Array {
  const pixels = rgb.length / 3;
  const planes = new Uint8Array(rgb.length);
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += 3) {
    planes[pixel] = rgb[at + 1] as number;
    planes[pixels + pixel] = rgb[at + 2] as number;
    planes[2 * pixels + pixel] = rgb[at] as number;
  }
  return planes;
}
