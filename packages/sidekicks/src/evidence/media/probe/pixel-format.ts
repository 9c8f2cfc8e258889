// The names of ffmpeg's pixel formats contain the chroma subsampling and the bit depth.

const halfChroma = /^(yuvj?a?420|nv12|nv21|p01[0-9])/;
const chromaPatterns: readonly [RegExp, string][] = [
  [halfChroma, '4:2:0'],
  [/^(yuvj?a?422|uyvy422|yuyv422|yvyu422|nv16|nv20|p21[0-9]|y21[0-9])/, '4:2:2'],
  [/^(yuvj?a?444|nv24|nv42|p41[0-9]|ayuv|xv|vuy|gbr|rgb|bgr|[ar0x]2?rgb|[ar0x]2?bgr|pal8|xyz)/, '4:4:4'],
  [/^(yuvj?440)/, '4:4:0'],
  [/^(yuvj?411|uyyvyy411)/, '4:1:1'],
  [/^yuv410/, '4:1:0'],
  [/^(gray|ya|mono)/, '4:0:0'],
];
const depthPatterns: readonly [RegExp, number][] = [
  [/f32(le|be)$/, 32],
  [/(48|64)(le|be)$/, 16],
  [/^(p010|p210|p410|y210|x2rgb10|x2bgr10|xv30)/, 10],
  [/^(p012|p212|p412|y212|xyz12|xv36)/, 12],
  [/^(p016|p216|p416)/, 16],
];

export function isRgb(pixelFormat: string): boolean {
  return /^(gbr|rgb|bgr|0rgb|0bgr|argb|abgr|pal8|x2rgb|x2bgr)/.test(pixelFormat);
}

export function chromaOf(pixelFormat: string): string | null {
  return chromaPatterns.find(([pattern]) => pattern.test(pixelFormat))?.[1] ?? null;
}

/** Bits per colour value: those in the name, otherwise 8. */
export function depthOf(pixelFormat: string): number {
  const known = depthPatterns.find(([pattern]) => pattern.test(pixelFormat))?.[1];
  return known ?? Number(/(?:p|gray|ya)(9|1[0-6])(?:le|be)$/.exec(pixelFormat)?.[1] ?? 8);
}
