import { contrast, film, moving, type Recipe, shownAt, stretch } from './film.ts';

const raw = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'];
const interlacedTop = [...raw, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'];
const interlacedBottom = [...raw, '-flags', '+ilme+ildct', '-x264-params', 'bff=1'];
/** Fifty moments a second, of which two make a picture. */
const fields = moving('50');
/** A bar of this luma over a part of the picture, for some time. */
function bar(luma: number, from: number, to: number, more: { width?: number; cb?: number; cr?: number } = {}): string {
  const { width = 40, cb = 128, cr = 128 } = more;
  const inside = (plane: number, scale: number, value: number) =>
    `if(gte(T,${from})*lt(T,${to})*lt(X,${width / scale}),${value},${['lum', 'cb', 'cr'][plane]}(X,Y))`;
  return `format=yuv420p,geq=lum='${inside(0, 1, luma)}':cb='${inside(1, 2, cb)}':cr='${inside(2, 2, cr)}'`;
}
const levels = (from: number, to: number) =>
  ({ ruleCode: 'QC-LEVELS', startMs: shownAt(from), endMs: shownAt(to) }) as const;

/** Levels that may not be broadcast. */
export const illegalFilms: Recipe[] = [
  ...[0, 2, 4].map((luma) => film({ name: `luma ${luma}`, picture: bar(luma, 2, 4), truth: [levels(2, 4)] })),
  ...[247, 250, 254].map((luma) => film({ name: `luma ${luma}`, picture: bar(luma, 2, 4), truth: [levels(2, 4)] })),
  film({ name: 'red beyond its range', picture: bar(120, 3, 5, { cr: 240 }), truth: [levels(3, 5)] }),
  film({ name: 'blue beyond its range', picture: bar(180, 3, 5, { cb: 230 }), truth: [levels(3, 5)] }),
  film({ name: 'green below its range', picture: bar(60, 3, 5, { cb: 220, cr: 220 }), truth: [levels(3, 5)] }),
  film({ name: 'too bright at the end', picture: bar(252, 6, 9), truth: [levels(6, 8)] }),
  film({
    name: 'too bright in a twentieth of the picture',
    picture: bar(252, 1, 3, { width: 10 }),
    truth: [levels(1, 3)],
  }),
  film({ name: 'too dark in mov', extension: 'mov', picture: bar(2, 2, 4), truth: [levels(2, 4)] }),
];

/** Full range that nobody says, and the reverse. */
export const rangeFilms: Recipe[] = [
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    film({
      name: `full range that ${extension} does not say`,
      extension,
      seconds: 6,
      picture: `${contrast},${stretch}`,
      video: [...raw, '-color_range', 'tv'],
      truth: [{ ruleCode: 'QC-RANGE' }],
    }),
  ),
  ...['mp4', 'mov'].map((extension) =>
    film({
      name: `narrow range that ${extension} calls full`,
      extension,
      seconds: 6,
      picture: `${contrast},setrange=full`,
      video: [...raw, '-color_range', 'pc'],
      truth: [{ ruleCode: 'QC-RANGE-SUSPECT' }],
    }),
  ),
];

/** Fields that are not as the file says. */
export const fieldFilms: Recipe[] = [
  ...['mp4', 'mov', 'mkv', 'ts'].map((extension) =>
    film({
      name: `fields that ${extension} does not say`,
      extension,
      source: fields,
      picture: 'tinterlace=mode=interleave_top,setfield=prog',
      video: [...raw, '-field_order', 'progressive'],
      truth: [{ ruleCode: 'QC-FIELDS' }],
    }),
  ),
  ...['mp4', 'mov'].map((extension) =>
    film({
      name: `top field first that ${extension} calls bottom`,
      extension,
      source: fields,
      picture: 'tinterlace=mode=interleave_top,setfield=bff',
      video: interlacedBottom,
      truth: [{ ruleCode: 'QC-FIELDS' }],
    }),
  ),
  ...['mp4', 'mov'].map((extension) =>
    film({
      name: `bottom field first that ${extension} calls top`,
      extension,
      source: fields,
      picture: 'tinterlace=mode=interleave_bottom,setfield=tff',
      video: interlacedTop,
      truth: [{ ruleCode: 'QC-FIELDS' }],
    }),
  ),
];

/** Pictures that come when they like. */
export const unevenFilms: Recipe[] = [
  ['gte(mod(n,4),1)', 'every fourth is left out'],
  ['gte(mod(n,10),3)', 'three of ten are left out'],
  ['lt(n,100)+not(mod(n,2))', 'the rate halves in the middle'],
].flatMap(([which, name]) =>
  ['mp4', 'mkv'].map((extension) =>
    film({
      name: `${name} (${extension})`,
      extension,
      picture: `select='${which}'`,
      video: [...raw, '-fps_mode', 'vfr'],
      truth: [{ ruleCode: 'QC-VFR' }],
    }),
  ),
);
