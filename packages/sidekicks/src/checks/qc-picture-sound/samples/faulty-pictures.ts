import { contrast, film, hold, paint, type Recipe, shownAt, stretch, type Truth } from './film.ts';

const rates = ['24000/1001', '24', '25', '30000/1001', '50', '60'];
const containers = ['mp4', 'mov', 'mkv', 'ts', 'avi', 'mpg', 'mxf'];
const lossy = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-bf', '2'];

function black(from: number, to: number, rate = '25'): Truth {
  return { ruleCode: 'QC-BLACK', startMs: shownAt(from, rate), endMs: shownAt(to, rate) };
}
function freeze(first: number, more: number, rate = '25'): Truth {
  const at = (picture: number) =>
    shownAt((picture * Number(rate.split('/')[1] ?? 1)) / Number(rate.split('/')[0]), rate);
  return { ruleCode: 'QC-FREEZE', startMs: at(first), endMs: at(first + more + 1) };
}

/** Black where it should not be. */
export const blackFilms: Recipe[] = [
  ...rates.map((rate) =>
    film({
      name: `black at ${rate} pictures a second`,
      rate,
      picture: paint('black', 2.5, 5.2),
      truth: [black(2.5, 5.2, rate)],
    }),
  ),
  ...containers.map((extension) =>
    film({ name: `black in ${extension}`, extension, picture: paint('black', 3, 5.48), truth: [black(3, 5.48)] }),
  ),
  film({ name: 'black at the start', picture: paint('black', 0, 2.2), truth: [black(0, 2.2)] }),
  film({ name: 'black at the end', picture: paint('black', 5.4, 9), truth: [black(5.4, 8)] }),
  film({ name: 'black throughout', picture: paint('black', 0, 9), truth: [black(0, 8)] }),
  film({
    name: 'black twice',
    seconds: 10,
    picture: `${paint('black', 1, 3.4)},${paint('black', 6, 8.8)}`,
    truth: [black(1, 3.4), black(6, 8.8)],
  }),
  film({ name: 'black a frame too long', picture: paint('black', 2, 4.04), truth: [black(2, 4.04)] }),
  film({
    name: 'black with a small logo',
    picture: `${paint('black', 2, 5)},drawbox=x=4:y=4:w=12:h=8:c=white:t=fill`,
    truth: [black(2, 5)],
  }),
  film({ name: 'nearly black', picture: paint('0x141414', 2, 5), truth: [black(2, 5)] }),
  film({ name: 'dark blue counts as black', picture: paint('0x000060', 2, 5), truth: [black(2, 5)] }),
  film({
    name: 'black, packed with loss and B-pictures',
    video: lossy,
    picture: paint('black', 2, 5),
    truth: [black(2, 5)],
  }),
  film({
    name: 'black with grain',
    picture: `${paint('black', 2, 5)},noise=alls=6:allf=t`,
    truth: [black(2, 5)],
  }),
  film({
    name: 'black in full range',
    picture: `${contrast},${paint('black', 2, 5)},${stretch},setrange=full`,
    video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-color_range', 'pc'],
    truth: [black(2, 5)],
  }),
  film({
    name: 'black without sound',
    sound: null,
    picture: paint('black', 2, 5),
    truth: [black(2, 5), { ruleCode: 'QC-NO-AUDIO' }],
  }),
];

/** Pictures that stand still. */
export const frozenFilms: Recipe[] = [
  ...rates.map((rate) => {
    const held = Math.ceil(5.5 * (Number(rate.split('/')[0]) / Number(rate.split('/')[1] ?? 1)));
    return film({
      name: `frozen at ${rate} pictures a second`,
      rate,
      seconds: 3,
      soundSeconds: 8.5,
      picture: hold(30, held),
      truth: [freeze(30, held, rate)],
    });
  }),
  ...containers.map((extension) =>
    film({
      name: `frozen in ${extension}`,
      extension,
      seconds: 3,
      soundSeconds: 8.2,
      picture: hold(25, 130),
      truth: [freeze(25, 130)],
    }),
  ),
  film({
    name: 'frozen from the start',
    seconds: 2,
    soundSeconds: 7.6,
    picture: hold(0, 140),
    truth: [freeze(0, 140)],
  }),
  film({ name: 'frozen to the end', seconds: 2, soundSeconds: 7.6, picture: hold(49, 140), truth: [freeze(49, 140)] }),
  film({
    name: 'frozen, packed with loss',
    seconds: 2,
    soundSeconds: 7.6,
    video: lossy,
    picture: hold(20, 140),
    truth: [freeze(20, 140)],
  }),
  film({
    name: 'frozen a frame too long',
    seconds: 2,
    soundSeconds: 7,
    picture: hold(20, 125),
    truth: [freeze(20, 125)],
  }),
  film({
    name: 'frozen black is black alone',
    seconds: 8,
    picture: paint('black', 1, 7),
    truth: [black(1, 7)],
  }),
  film({
    name: 'a still of grey throughout',
    source: 'color=c=gray:s=192x108:r=25:d=7',
    seconds: 7,
    truth: [{ ruleCode: 'QC-FREEZE', startMs: 0, endMs: 7000 }],
  }),
];
