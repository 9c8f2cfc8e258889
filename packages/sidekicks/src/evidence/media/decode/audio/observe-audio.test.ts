import { describe, expect, test } from 'vitest';
import { observeAudio } from './observe-audio.ts';

const sampleRate = 8000;
type Channel = (seconds: number) => number;
const tone: Channel = (t) => 0.3 * Math.sin(2 * Math.PI * 440 * t);
const otherTone: Channel = (t) => 0.3 * Math.sin(2 * Math.PI * 650 * t);
const silentChannel: Channel = () => 0;

function observe(channels: readonly Channel[], seconds = 5, chunkFrames = 1024) {
  const observer = observeAudio.open({
    durationSeconds: null,
    video: null,
    audio: { sampleRate, channels: channels.length, layout: null },
  });
  if (!observer) throw new Error('the audio is not observed');
  const frames = Math.round(seconds * sampleRate);
  for (let start = 0; start < frames; start += chunkFrames) {
    const length = Math.min(chunkFrames, frames - start);
    const chunk = new Float32Array(length * channels.length);
    for (let i = 0; i < chunk.length; i++) {
      const channel = channels[i % channels.length] as Channel;
      chunk[i] = channel((start + Math.floor(i / channels.length)) / sampleRate);
    }
    observer.samples?.(chunk);
  }
  return observer.end();
}
const between =
  (from: number, to: number, inside: Channel, outside: Channel): Channel =>
  (t) =>
    t >= from && t < to ? inside(t) : outside(t);

test('observeAudio opens no observer for a file without audio', () => {
  expect(observeAudio.open({ durationSeconds: null, video: null, audio: null })).toBeNull();
});

test('the audio evidence does not depend on the chunk size', () => {
  const channels = [between(1, 2.5, silentChannel, tone), between(1, 2.5, silentChannel, otherTone)];
  expect(observe(channels, 5, 7)).toEqual(observe(channels, 5, 40_000));
});

describe('silence', () => {
  test('is reported with an accuracy of one sample', () => {
    const { silence } = observe([between(1, 2.5, silentChannel, (t) => tone(t) + 0.4)], 5);
    expect(silence).toEqual([{ startSeconds: 1, endSeconds: 2.5 }]);
  });
  test('is reported at the start of a file, at the end and throughout', () => {
    const steady: Channel = () => 0.5;
    expect(observe([between(0, 1, silentChannel, steady)], 2).silence).toEqual([{ startSeconds: 0, endSeconds: 1 }]);
    expect(observe([between(1, 9, silentChannel, steady)], 2).silence).toEqual([{ startSeconds: 1, endSeconds: 2 }]);
    expect(observe([silentChannel, silentChannel], 2).silence).toEqual([{ startSeconds: 0, endSeconds: 2 }]);
  });
  test('is reported only if every channel is below −60 dBFS', () => {
    expect(observe([() => 0.00099, silentChannel], 1).silence).toHaveLength(1);
    expect(observe([() => 0.00101, silentChannel], 1).silence).toHaveLength(0);
    expect(observe([silentChannel, tone], 1).silence).toHaveLength(0);
  });
  test('does not include zero crossings', () => expect(observe([tone], 2).silence).toEqual([]));
});

describe('clipping detection', () => {
  const top =
    (samples: number): Channel =>
    (t) =>
      Math.round(t * sampleRate) % 4000 < samples ? 1 : 0.2;
  test('counts three or more consecutive samples at full scale as a run, but not two', () => {
    expect(observe([top(2)], 1).clipping).toMatchObject({ runCount: 0, ranges: [] });
    expect(observe([top(3)], 1).clipping).toMatchObject({ runCount: 2, longestRunSamples: 3 });
  });
  test('counts samples at or above the level of the largest 16-bit sample, of either sign', () => {
    expect(observe([() => 32_767 / 32_768], 0.5).clipping.runCount).toBe(1);
    expect(observe([() => -1], 0.5).clipping.runCount).toBe(1);
    expect(observe([() => 32_766 / 32_768], 0.5).clipping.runCount).toBe(0);
  });
  test('merges runs in different channels into one range if they are close together', () => {
    const { clipping } = observe([top(5), between(0.52, 0.53, () => 1, tone)], 1);
    expect(clipping.runCount).toBe(3);
    expect(clipping.ranges).toHaveLength(2);
  });
});

describe('the left and right channels', () => {
  test('are reported as identical, inverted or different', () => {
    expect(observe([tone, tone]).stereo).toMatchObject({ identicalSeconds: 5, invertedSeconds: 0, audibleSeconds: 5 });
    expect(observe([tone, (t) => -tone(t)]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 5 });
    expect(observe([tone, otherTone]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 0 });
  });
  test('are reported as inverted, with the time range, even if their levels differ', () => {
    const { stereo } = observe([tone, between(1, 3, (t) => -0.4 * tone(t), otherTone)]);
    expect(stereo?.inverted).toEqual([{ startSeconds: 1, endSeconds: 3 }]);
  });
  test('are neither identical nor inverted if one of them is silent', () => {
    expect(observe([tone, silentChannel]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 0 });
    const leak: Channel = (t) => -0.001 * tone(t);
    expect(observe([tone, leak]).stereo).toMatchObject({ identicalSeconds: 0, invertedSeconds: 0 });
  });
  test('are compared only where they are audible', () => {
    expect(observe([between(1, 2, tone, silentChannel), between(1, 2, tone, silentChannel)]).stereo).toMatchObject({
      audibleSeconds: expect.closeTo(1, 5),
      identicalSeconds: expect.closeTo(1, 5),
    });
  });
  test('are compared only if there are exactly two channels', () =>
    expect([observe([tone]).stereo, observe([tone, tone, tone]).stereo]).toEqual([null, null]));
});

test('each audio channel is reported with its peak and its audible duration', () => {
  const { channels, audibleSeconds, durationSeconds } = observe(
    [() => 0.5, silentChannel, between(1, 2, tone, silentChannel)],
    4,
  );
  expect(channels).toEqual([
    { peakDb: expect.closeTo(-6.02, 2), audibleSeconds: expect.closeTo(4, 5) },
    { peakDb: null, audibleSeconds: 0 },
    { peakDb: expect.closeTo(-10.5, 1), audibleSeconds: expect.closeTo(1, 5) },
  ]);
  expect([audibleSeconds, durationSeconds]).toEqual([expect.closeTo(4, 5), 4]);
});

test('speech with short pauses is reported as one active range, and a faint hum is not reported as active', () => {
  const speech: Channel = (t) => (t % 1 < 0.6 ? tone(t) : 0.001 * tone(t));
  const { active } = observe([between(2, 6, speech, (t) => 0.01 * tone(t))], 10);
  expect(active).toEqual([{ startSeconds: 2, endSeconds: expect.closeTo(5.6, 5) }]);
});

test('the audio evidence of a long file stays small and is plain data', () => {
  const record = observe([(t) => (t % 4 < 2 ? 0.5 : 0)], 400, 65_536);
  expect(record.level.values.length).toBeLessThanOrEqual(2000);
  expect(record.silence).toHaveLength(100);
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
});
