import {
  clip,
  contrastAreas,
  type ExpectedFinding,
  expandRange,
  fillFrame,
  frameTimeMs,
  type Recipe,
  repeatFrame,
} from './clip.ts';

const rates = ['24000/1001', '24', '25', '30000/1001', '50', '60'];
const containers = ['mp4', 'mov', 'mkv', 'ts', 'avi', 'mpg', 'mxf'];
const lossyEncoding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-bf', '2'];

function blackFinding(from: number, to: number, rate = '25'): ExpectedFinding {
  return { ruleCode: 'QC-BLACK', startMs: frameTimeMs(from, rate), endMs: frameTimeMs(to, rate) };
}
function freezeFinding(first: number, more: number, rate = '25'): ExpectedFinding {
  const at = (frame: number) =>
    frameTimeMs((frame * Number(rate.split('/')[1] ?? 1)) / Number(rate.split('/')[0]), rate);
  return { ruleCode: 'QC-FREEZE', startMs: at(first), endMs: at(first + more + 1) };
}

/** Clips with black video. */
export const blackClips: Recipe[] = [
  ...rates.map((rate) =>
    clip({
      name: `black at ${rate} frames a second`,
      rate,
      videoFilter: fillFrame('black', 2.5, 5.2),
      expected: [blackFinding(2.5, 5.2, rate)],
    }),
  ),
  ...containers.map((extension) =>
    clip({
      name: `black in ${extension}`,
      extension,
      videoFilter: fillFrame('black', 3, 5.48),
      expected: [blackFinding(3, 5.48)],
    }),
  ),
  clip({ name: 'black at the start', videoFilter: fillFrame('black', 0, 2.2), expected: [blackFinding(0, 2.2)] }),
  clip({ name: 'black at the end', videoFilter: fillFrame('black', 5.4, 9), expected: [blackFinding(5.4, 8)] }),
  clip({ name: 'black throughout', videoFilter: fillFrame('black', 0, 9), expected: [blackFinding(0, 8)] }),
  clip({
    name: 'black twice',
    seconds: 10,
    videoFilter: `${fillFrame('black', 1, 3.4)},${fillFrame('black', 6, 8.8)}`,
    expected: [blackFinding(1, 3.4), blackFinding(6, 8.8)],
  }),
  clip({ name: 'black a frame too long', videoFilter: fillFrame('black', 2, 4.04), expected: [blackFinding(2, 4.04)] }),
  clip({
    name: 'black with a small logo',
    videoFilter: `${fillFrame('black', 2, 5)},drawbox=x=4:y=4:w=12:h=8:c=white:t=fill`,
    expected: [blackFinding(2, 5)],
  }),
  clip({ name: 'nearly black', videoFilter: fillFrame('0x141414', 2, 5), expected: [blackFinding(2, 5)] }),
  clip({ name: 'dark blue counts as black', videoFilter: fillFrame('0x000060', 2, 5), expected: [blackFinding(2, 5)] }),
  clip({
    name: 'black, lossy and with B-frames',
    video: lossyEncoding,
    videoFilter: fillFrame('black', 2, 5),
    expected: [blackFinding(2, 5)],
  }),
  clip({
    name: 'black with grain',
    videoFilter: `${fillFrame('black', 2, 5)},noise=alls=6:allf=t`,
    expected: [blackFinding(2, 5)],
  }),
  clip({
    name: 'black with full range',
    videoFilter: `${contrastAreas},${fillFrame('black', 2, 5)},${expandRange},setrange=full`,
    video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-color_range', 'pc'],
    expected: [blackFinding(2, 5)],
  }),
  clip({
    name: 'black without audio',
    audioExpression: null,
    videoFilter: fillFrame('black', 2, 5),
    expected: [blackFinding(2, 5), { ruleCode: 'QC-NO-AUDIO' }],
  }),
];

/** Clips with frozen video. */
export const frozenClips: Recipe[] = [
  ...rates.map((rate) => {
    const held = Math.ceil(5.5 * (Number(rate.split('/')[0]) / Number(rate.split('/')[1] ?? 1)));
    return clip({
      name: `frozen at ${rate} frames a second`,
      rate,
      seconds: 3,
      audioSeconds: 8.5,
      videoFilter: repeatFrame(30, held),
      expected: [freezeFinding(30, held, rate)],
    });
  }),
  ...containers.map((extension) =>
    clip({
      name: `frozen in ${extension}`,
      extension,
      seconds: 3,
      audioSeconds: 8.2,
      videoFilter: repeatFrame(25, 130),
      expected: [freezeFinding(25, 130)],
    }),
  ),
  clip({
    name: 'frozen from the start',
    seconds: 2,
    audioSeconds: 7.6,
    videoFilter: repeatFrame(0, 140),
    expected: [freezeFinding(0, 140)],
  }),
  clip({
    name: 'frozen to the end',
    seconds: 2,
    audioSeconds: 7.6,
    videoFilter: repeatFrame(49, 140),
    expected: [freezeFinding(49, 140)],
  }),
  clip({
    name: 'frozen, lossy',
    seconds: 2,
    audioSeconds: 7.6,
    video: lossyEncoding,
    videoFilter: repeatFrame(20, 140),
    expected: [freezeFinding(20, 140)],
  }),
  clip({
    name: 'frozen a frame too long',
    seconds: 2,
    audioSeconds: 7,
    videoFilter: repeatFrame(20, 125),
    expected: [freezeFinding(20, 125)],
  }),
  clip({
    name: 'frozen black is reported only as black',
    seconds: 8,
    videoFilter: fillFrame('black', 1, 7),
    expected: [blackFinding(1, 7)],
  }),
  clip({
    name: 'a grey still throughout',
    source: 'color=c=gray:s=192x108:r=25:d=7',
    seconds: 7,
    expected: [{ ruleCode: 'QC-FREEZE', startMs: 0, endMs: 7000 }],
  }),
];
