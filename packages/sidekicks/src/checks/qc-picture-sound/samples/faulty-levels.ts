import { clip, contrastAreas, expandRange, frameTimeMs, movingSource, type Recipe } from './clip.ts';

const losslessEncoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'];
const interlacedTop = [...losslessEncoding, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'];
const interlacedBottom = [...losslessEncoding, '-flags', '+ilme+ildct', '-x264-params', 'bff=1'];
/** Fifty fields a second, of which two make a frame. */
const fieldSource = movingSource('50');
/** A filter that draws a bar of this luma over a part of the frame during a time range. */
function bar(luma: number, from: number, to: number, more: { width?: number; cb?: number; cr?: number } = {}): string {
  const { width = 40, cb = 128, cr = 128 } = more;
  const inside = (plane: number, scale: number, value: number) =>
    `if(gte(T,${from})*lt(T,${to})*lt(X,${width / scale}),${value},${['lum', 'cb', 'cr'][plane]}(X,Y))`;
  return `format=yuv420p,geq=lum='${inside(0, 1, luma)}':cb='${inside(1, 2, cb)}':cr='${inside(2, 2, cr)}'`;
}
const levels = (from: number, to: number) =>
  ({ ruleCode: 'QC-LEVELS', startMs: frameTimeMs(from), endMs: frameTimeMs(to) }) as const;

/** Clips with illegal levels. */
export const illegalClips: Recipe[] = [
  ...[0, 2, 4].map((luma) => clip({ name: `luma ${luma}`, videoFilter: bar(luma, 2, 4), expected: [levels(2, 4)] })),
  ...[247, 250, 254].map((luma) =>
    clip({ name: `luma ${luma}`, videoFilter: bar(luma, 2, 4), expected: [levels(2, 4)] }),
  ),
  clip({ name: 'red beyond its range', videoFilter: bar(120, 3, 5, { cr: 240 }), expected: [levels(3, 5)] }),
  clip({ name: 'blue beyond its range', videoFilter: bar(180, 3, 5, { cb: 230 }), expected: [levels(3, 5)] }),
  clip({ name: 'green below its range', videoFilter: bar(60, 3, 5, { cb: 220, cr: 220 }), expected: [levels(3, 5)] }),
  clip({ name: 'too bright at the end', videoFilter: bar(252, 6, 9), expected: [levels(6, 8)] }),
  clip({
    name: 'too bright in a twentieth of the frame',
    videoFilter: bar(252, 1, 3, { width: 10 }),
    expected: [levels(1, 3)],
  }),
  clip({ name: 'too dark in mov', extension: 'mov', videoFilter: bar(2, 2, 4), expected: [levels(2, 4)] }),
];

/** Clips of full range that is not flagged, and of limited range flagged as full. */
export const rangeClips: Recipe[] = [
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    clip({
      name: `full range, not flagged in ${extension}`,
      extension,
      seconds: 6,
      videoFilter: `${contrastAreas},${expandRange}`,
      video: [...losslessEncoding, '-color_range', 'tv'],
      expected: [{ ruleCode: 'QC-RANGE' }],
    }),
  ),
  ...['mp4', 'mov'].map((extension) =>
    clip({
      name: `limited range, flagged full in ${extension}`,
      extension,
      seconds: 6,
      videoFilter: `${contrastAreas},setrange=full`,
      video: [...losslessEncoding, '-color_range', 'pc'],
      expected: [{ ruleCode: 'QC-RANGE-SUSPECT' }],
    }),
  ),
];

/** Clips whose fields do not match the flag. */
export const fieldClips: Recipe[] = [
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    clip({
      name: `fields, not flagged in ${extension}`,
      extension,
      source: fieldSource,
      videoFilter: 'tinterlace=mode=interleave_top,setfield=prog',
      video: [...losslessEncoding, '-field_order', 'progressive'],
      expected: [{ ruleCode: 'QC-FIELDS' }],
    }),
  ),
  ...['mp4', 'mov'].map((extension) =>
    clip({
      name: `top field first, flagged bottom in ${extension}`,
      extension,
      source: fieldSource,
      videoFilter: 'tinterlace=mode=interleave_top,setfield=bff',
      video: interlacedBottom,
      expected: [{ ruleCode: 'QC-FIELDS' }],
    }),
  ),
  ...['mp4', 'mov'].map((extension) =>
    clip({
      name: `bottom field first, flagged top in ${extension}`,
      extension,
      source: fieldSource,
      videoFilter: 'tinterlace=mode=interleave_bottom,setfield=tff',
      video: interlacedTop,
      expected: [{ ruleCode: 'QC-FIELDS' }],
    }),
  ),
];

/** Clips with a variable frame rate. */
export const variableRateClips: Recipe[] = [
  ['gte(mod(n,4),1)', 'every fourth frame is dropped'],
  ['gte(mod(n,10),3)', 'three of ten frames are dropped'],
  ['lt(n,100)+not(mod(n,2))', 'the frame rate halves in the middle'],
].flatMap(([which, name]) =>
  ['mp4', 'mkv'].map((extension) =>
    clip({
      name: `${name} (${extension})`,
      extension,
      videoFilter: `select='${which}'`,
      video: [...losslessEncoding, '-fps_mode', 'vfr'],
      expected: [{ ruleCode: 'QC-VFR' }],
    }),
  ),
);
