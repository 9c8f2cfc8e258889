import { describe, expect, test } from 'vitest';
import { observeSound } from './observe-sound.ts';

const sampleRate = 8000;
type Channel = (seconds: number) => number;
const tone: Channel = (t) => 0.3 * Math.sin(2 * Math.PI * 440 * t);
const other: Channel = (t) => 0.3 * Math.sin(2 * Math.PI * 650 * t);
const nothing: Channel = () => 0;

function hear(channels: readonly Channel[], seconds = 5, pieceFrames = 1024) {
  const observer = observeSound.open({
    durationSeconds: null,
    picture: null,
    sound: { sampleRate, channels: channels.length, layout: null },
  });
  if (!observer) throw new Error('sound is observed');
  const frames = Math.round(seconds * sampleRate);
  for (let start = 0; start < frames; start += pieceFrames) {
    const length = Math.min(pieceFrames, frames - start);
    const piece = new Float32Array(length * channels.length);
    for (let i = 0; i < piece.length; i++) {
      const channel = channels[i % channels.length] as Channel;
      piece[i] = channel((start + Math.floor(i / channels.length)) / sampleRate);
    }
    observer.samples?.(piece);
  }
  return observer.end();
}
const between =
  (from: number, to: number, inside: Channel, outside: Channel): Channel =>
  (t) =>
    t >= from && t < to ? inside(t) : outside(t);

test('a film without sound has none to observe', () => {
  expect(observeSound.open({ durationSeconds: null, picture: null, sound: null })).toBeNull();
});

test('what is seen does not depend on the pieces it comes in', () => {
  const channels = [between(1, 2.5, nothing, tone), between(1, 2.5, nothing, other)];
  expect(hear(channels, 5, 7)).toEqual(hear(channels, 5, 40_000));
});

describe('silence', () => {
  test('is known to the sample', () => {
    const { silence } = hear([between(1, 2.5, nothing, (t) => tone(t) + 0.4)], 5);
    expect(silence).toEqual([{ startSeconds: 1, endSeconds: 2.5 }]);
  });
  test('at both ends, and throughout', () => {
    const steady: Channel = () => 0.5;
    expect(hear([between(0, 1, nothing, steady)], 2).silence).toEqual([{ startSeconds: 0, endSeconds: 1 }]);
    expect(hear([between(1, 9, nothing, steady)], 2).silence).toEqual([{ startSeconds: 1, endSeconds: 2 }]);
    expect(hear([nothing, nothing], 2).silence).toEqual([{ startSeconds: 0, endSeconds: 2 }]);
  });
  test('is below −60 dBFS on every channel', () => {
    expect(hear([() => 0.00099, nothing], 1).silence).toHaveLength(1);
    expect(hear([() => 0.00101, nothing], 1).silence).toHaveLength(0);
    expect(hear([nothing, tone], 1).silence).toHaveLength(0);
  });
  test('zero crossings are none', () => expect(hear([tone], 2).silence).toEqual([]));
});

describe('clipping', () => {
  const top =
    (samples: number): Channel =>
    (t) =>
      Math.round(t * sampleRate) % 4000 < samples ? 1 : 0.2;
  test('two samples at full scale are an honest peak, three are not', () => {
    expect(hear([top(2)], 1).clipping).toMatchObject({ runCount: 0, ranges: [] });
    expect(hear([top(3)], 1).clipping).toMatchObject({ runCount: 2, longestRunSamples: 3 });
  });
  test('the largest number of 16 bits is full scale, the one before is not', () => {
    expect(hear([() => 32_767 / 32_768], 0.5).clipping.runCount).toBe(1);
    expect(hear([() => -1], 0.5).clipping.runCount).toBe(1);
    expect(hear([() => 32_766 / 32_768], 0.5).clipping.runCount).toBe(0);
  });
  test('runs on different channels that lie close are one place', () => {
    const { clipping } = hear([top(5), between(0.52, 0.53, () => 1, tone)], 1);
    expect(clipping.runCount).toBe(3);
    expect(clipping.ranges).toHaveLength(2);
  });
});

describe('left and right', () => {
  test('the same, turned over, different', () => {
    expect(hear([tone, tone]).stereo).toMatchObject({ identicalSeconds: 5, invertedSeconds: 0, soundingSeconds: 5 });
    expect(hear([tone, (t) => -tone(t)]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 5 });
    expect(hear([tone, other]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 0 });
  });
  test('turned over at another level is still turned over, and has its time', () => {
    const { stereo } = hear([tone, between(1, 3, (t) => -0.4 * tone(t), other)]);
    expect(stereo?.inverted).toEqual([{ startSeconds: 1, endSeconds: 3 }]);
  });
  test('one side alone is neither', () => {
    expect(hear([tone, nothing]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 0 });
    const leak: Channel = (t) => -0.001 * tone(t);
    expect(hear([tone, leak]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 0 });
  });
  test('silence does not count', () => {
    expect(hear([between(1, 2, tone, nothing), between(1, 2, tone, nothing)]).stereo).toMatchObject({
      soundingSeconds: expect.closeTo(1, 5),
      identicalSeconds: expect.closeTo(1, 5),
    });
  });
  test('only of two channels', () =>
    expect([hear([tone]).stereo, hear([tone, tone, tone]).stereo]).toEqual([null, null]));
});

test('each channel has its peak and how long it sounds', () => {
  const { channels, soundingSeconds, durationSeconds } = hear([() => 0.5, nothing, between(1, 2, tone, nothing)], 4);
  expect(channels).toEqual([
    { peakDb: expect.closeTo(-6.02, 2), soundingSeconds: expect.closeTo(4, 5) },
    { peakDb: null, soundingSeconds: 0 },
    { peakDb: expect.closeTo(-10.5, 1), soundingSeconds: expect.closeTo(1, 5) },
  ]);
  expect([soundingSeconds, durationSeconds]).toEqual([expect.closeTo(4, 5), 4]);
});

test('speech with short pauses is one stretch, and a faint hum is none', () => {
  const speech: Channel = (t) => (t % 1 < 0.6 ? tone(t) : 0.001 * tone(t));
  const { active } = hear([between(2, 6, speech, (t) => 0.01 * tone(t))], 10);
  expect(active).toEqual([{ startSeconds: 2, endSeconds: expect.closeTo(5.6, 5) }]);
});

test('hours of it stay small, and are plain data', () => {
  const seen = hear([(t) => (t % 4 < 2 ? 0.5 : 0)], 400, 65_536);
  expect(seen.level.values.length).toBeLessThanOrEqual(2000);
  expect(seen.silence).toHaveLength(100);
  expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
});
