import { describe, expect, test } from 'vitest';
import { type PacketTime, parsePacketTimes } from './packet-times.ts';
import { hasGaps, undecodedShareOf } from './undecoded.ts';

const rate = 25;
const times = (count: number, keep: (i: number) => boolean = () => true) =>
  Float64Array.from(Array.from({ length: count }, (_, i) => i).filter(keep), (i) => i / rate);
const packetsAt = (seconds: ArrayLike<number>): PacketTime[] =>
  Array.from(seconds, (at, i) => ({ seconds: at, endSeconds: at + 1 / rate, isKey: i === 0 }));
const list = (frames: Float64Array, endSeconds: number | null = null) => ({ frames, startSeconds: 0, endSeconds });

describe('packets are listed', () => {
  test.each([
    ['not for frames without a gap', list(times(100), 4), false],
    ['if frames are missing in the middle', list(times(100, (i) => i < 50 || i > 52)), true],
    ['if a single frame is missing', list(times(100, (i) => i !== 50)), true],
    ['if the first frames are missing', list(times(100, (i) => i > 3)), true],
    ['if the last frames are missing', list(times(97), 4), true],
    ['if there is only one frame', list(times(1)), true],
  ])('%s', (_, frames, expected) => {
    expect(hasGaps(frames)).toBe(expected);
  });
});

describe('the share of frames that were not decoded', () => {
  const isLost = (i: number) => i >= 50 && i < 125;

  test('is the share of packets without a frame', () => {
    expect(undecodedShareOf(list(times(200, (i) => !isLost(i))), packetsAt(times(200)))).toBeCloseTo(75 / 200, 9);
    expect(undecodedShareOf(list(times(200, (i) => i !== 50)), packetsAt(times(200)))).toBeCloseTo(1 / 200, 9);
  });

  test('is 0 for a variable frame rate without losses', () => {
    const frames = times(200, (i) => i % 7 !== 0 && (i < 100 || i % 2 === 0));
    expect(undecodedShareOf(list(frames, 8), packetsAt(frames))).toBe(0);
  });

  test('counts neither packets for the second field of a frame nor packets without a picture of their own', () => {
    const fields = Float64Array.from({ length: 400 }, (_, i) => i / (2 * rate));
    expect(undecodedShareOf(list(times(200)), packetsAt(fields))).toBe(0);
    expect(undecodedShareOf(list(times(200, (i) => !isLost(i))), packetsAt(fields))).toBeCloseTo(75 / 200, 2);
  });

  test('includes the time that the container declares beyond its last packet', () => {
    expect(undecodedShareOf(list(times(100), 8), packetsAt(times(100)))).toBeCloseTo(0.5, 2);
    expect(undecodedShareOf(list(times(100), 4.5), packetsAt(times(100)))).toBe(0);
  });

  test('does not count a last frame that is shown for long', () => {
    const packets = packetsAt(times(100)).map((packet, i) => (i === 99 ? { ...packet, endSeconds: 20 } : packet));
    expect(undecodedShareOf(list(times(100), 20), packets)).toBe(0);
  });

  test('does not count what precedes the first key frame, which no player shows', () => {
    const packets = packetsAt(times(200)).map((packet, i) => ({ ...packet, isKey: i === 30 }));
    expect(undecodedShareOf(list(times(200, (i) => i >= 30)), packets)).toBe(0);
  });

  test('is everything if there are packets but no frames', () => {
    expect(undecodedShareOf(list(new Float64Array(0)), packetsAt(times(100)))).toBe(1);
  });

  test('is not known if the timestamps of frames and packets do not match', () => {
    const shifted = packetsAt(times(200).map((seconds) => seconds + 20));
    expect(undecodedShareOf(list(times(200, (i) => !isLost(i))), shifted)).toBeNull();
  });
});

test('packets that the container does not show are not listed, and AVI has only times of decoding', () => {
  const csv = ['-0.04,-0.04,0.04,KD_', '0.000000,-0.04,0.04,K__', 'N/A,0.080000,0.040000,___', 'N/A,N/A,N/A,___', ''];
  expect(parsePacketTimes(csv.join('\n'))).toEqual([
    { seconds: 0, endSeconds: 0.04, isKey: true },
    { seconds: 0.08, endSeconds: 0.12, isKey: false },
  ]);
});
