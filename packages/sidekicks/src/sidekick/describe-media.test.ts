import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { samplePath } from '@assay/testing/media/samples.ts';
import { openMediaFolder, withSource } from '@assay/testing/media/video-source.ts';
import { expect, test } from 'vitest';
import { runSidekicks } from '../run/run.ts';
import { chooseSidekicks } from './catalogue.ts';

const media = openMediaFolder('facts');

const examine = (path: string, filename: string) =>
  withSource(path, (source) => runSidekicks(chooseSidekicks(null), source, declarationFor(filename)));

test('the technical facts of a video name its codecs, size, rate, scan, channels and tracks, and it has a poster', async () => {
  // Black for a second: the poster shows the test pattern that follows.
  const path = await media.make(
    'facts.mov',
    ...['-f', 'lavfi', '-i', "testsrc2=s=960x540:r=25:d=2,drawbox=c=black:t=fill:enable='lt(t,1)'"],
    ...['-f', 'lavfi', '-i', 'sine=sample_rate=48000:d=2', '-map', '0', '-map', '1', '-map', '1'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv422p10le', '-c:a', 'pcm_s24le', '-ac', '2'],
    ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=fra'],
  );
  const { media: facts, poster } = await examine(path, 'facts.mov');
  expect(facts).toMatchObject({
    container: 'QuickTime',
    durationMs: 2000,
    bitsPerSecond: expect.any(Number),
    captions: [],
    image: null,
  });
  expect(facts?.video).toEqual([
    {
      ...{ codec: 'h264', profile: 'High 4:2:2', width: 960, height: 540, frameRate: 25, scan: 'progressive' },
      ...{ chromaSubsampling: '4:2:2', bitDepth: 10, bitsPerSecond: expect.any(Number), language: null },
    },
  ]);
  const track = { codec: 'pcm_s24le', profile: null, channels: 2, sampleRate: 48_000, bitDepth: 24 };
  expect(facts?.audio).toEqual([
    { ...track, channelLayout: expect.toBeOneOf(['stereo', null]), bitsPerSecond: 2_304_000, language: 'eng' },
    { ...track, channelLayout: expect.toBeOneOf(['stereo', null]), bitsPerSecond: 2_304_000, language: 'fra' },
  ]);
  expect(poster?.timeMs).toBeGreaterThanOrEqual(1000);
  expect(sizeOf(poster?.jpeg)).toEqual([480, 270]);
});

test.each([
  ['still.jpg', 'JPEG'],
  ['still.png', 'PNG'],
  ['still.gif', 'GIF'],
])('%s has its size as a technical fact, no tracks, and a still as its poster', async (name, container) => {
  const { media: facts, poster } = await examine(samplePath(name), name);
  expect(facts).toMatchObject({
    container,
    durationMs: null,
    video: [],
    audio: [],
    image: { width: expect.any(Number) },
  });
  expect(poster?.timeMs).toBe(name.endsWith('.gif') ? 100 : 0); // an animation, of which a tenth has passed
  expect(sizeOf(poster?.jpeg)[0]).toBe(Math.min(480, facts?.image?.width ?? 0));
});

test('audio has technical facts and no poster', async () => {
  const { media: facts, poster } = await examine(samplePath('tone.wav'), 'tone.wav');
  expect(facts).toMatchObject({ container: 'WAV', video: [], image: null });
  expect(facts?.audio).toHaveLength(1);
  expect(poster).toBeNull();
});

/** The width and height from the frame header of a JPEG. */
function sizeOf(jpeg: Uint8Array | undefined): [number, number] {
  const bytes = Buffer.from(jpeg ?? []);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] === 0xc0) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  throw new Error('not a JPEG');
}
