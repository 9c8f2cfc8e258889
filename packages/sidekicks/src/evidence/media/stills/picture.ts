/** Packed 8-bit R'G'B', rows from the top. */
export type Picture = { width: number; height: number; rgb: Uint8Array };
export type Rgb = readonly [red: number, green: number, blue: number];
/** The first and last column and row. */
export type Rectangle = { left: number; top: number; right: number; bottom: number };

export function createPicture(width: number, height: number, colour: Rgb): Picture {
  const picture = { width, height, rgb: new Uint8Array(3 * width * height) };
  fillRectangle(picture, { left: 0, top: 0, right: width - 1, bottom: height - 1 }, colour);
  return picture;
}

/** What is outside of the picture is left out. */
export function fillRectangle({ width, height, rgb }: Picture, to: Rectangle, colour: Rgb): void {
  const [left, right] = [Math.max(0, to.left), Math.min(width - 1, to.right)];
  const [top, bottom] = [Math.max(0, to.top), Math.min(height - 1, to.bottom)];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) rgb.set(colour, 3 * (y * width + x));
  }
}

export function copyInto(picture: Picture, part: Picture, left: number, top: number): void {
  for (let y = 0; y < part.height; y++) {
    const row = part.rgb.subarray(3 * y * part.width, 3 * (y + 1) * part.width);
    picture.rgb.set(row, 3 * ((top + y) * picture.width + left));
  }
}
