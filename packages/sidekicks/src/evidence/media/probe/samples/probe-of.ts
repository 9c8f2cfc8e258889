import type { Probe, ProbeStream } from '../probe-report.ts';

const kinds = {
  video: { kind: 'video', codec: 'h264', width: 1280, height: 720 },
  audio: { kind: 'audio', codec: 'aac', sampleRate: 48_000, channels: 2, channelLayout: 'stereo' },
  mono: { kind: 'audio', codec: 'pcm_s24le', sampleRate: 48_000, channels: 1, channelLayout: null },
  subtitle: { kind: 'subtitle', codec: 'mov_text' },
} as const;

/** A probe with these streams, in this order; a name stands for an ordinary stream of that kind. */
export function probeOf(...streams: (keyof typeof kinds | [keyof typeof kinds, Partial<ProbeStream>])[]): Probe {
  return {
    streams: streams.map((one, index) => {
      const [name, more] = typeof one === 'string' ? [one, {}] : one;
      return {
        ...{ index, isAttachedPicture: false, isChapterTrack: false, frameCount: null, durationSeconds: 10 },
        ...{ language: null, tags: [], ...kinds[name], ...more },
      };
    }),
  } as unknown as Probe;
}
