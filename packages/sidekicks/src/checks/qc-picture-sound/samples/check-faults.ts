import { declarationFor } from '@assay/testing/media/declared-as.ts';
import type { Evidence } from '#evidence/evidence.ts';
import type { AudioRecord } from '#evidence/media/decode/audio/observe-audio.ts';
import type { Decoding } from '#evidence/media/decode/decoding.ts';
import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { sidekick } from '../sidekick.ts';

const emptySeries = { stepSeconds: 0.1, values: [] };
export const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
/** A luma histogram with equal counts from one value to another. */
export const lumas = (from: number, to: number) =>
  Array.from({ length: 256 }, (_, i) => (i >= from && i <= to ? 10 : 0));
export const video: VideoRecord = {
  claimed: { fieldOrder: 'progressive', isFullRange: false, matrix: 'bt709', frameRate: 25 },
  timing: {
    ...{ count: 2500, firstSeconds: 0, lastSeconds: 99.96, endSeconds: 100, irregularCount: 0 },
    ...{ shortestSeconds: 0.04, longestSeconds: 0.04, usualSeconds: 0.04 },
  },
  black: [],
  freeze: [],
  levels: { outside: [], lumaCounts: lumas(16, 235) },
  fields: { tff: 0, bff: 0, progressive: 2400, undetermined: 100 },
  formatChangeSeconds: null,
  luminance: emptySeries,
};
const audio: AudioRecord = {
  ...{ sampleRate: 48_000, layout: 'stereo', durationSeconds: 100, audibleSeconds: 100 },
  channels: [
    { peakDb: -3, audibleSeconds: 100 },
    { peakDb: -3, audibleSeconds: 100 },
  ],
  silence: [],
  clipping: { runCount: 0, longestRunSamples: 0, ranges: [] },
  stereo: { audibleSeconds: 100, identicalSeconds: 2, inverted: [], invertedSeconds: 0 },
  active: [],
  level: emptySeries,
};
const decoding: Decoding = {
  errorCount: 0,
  messages: [],
  videoEndSeconds: 100,
  audioEndSeconds: 100,
  isCutShort: false,
};
const streams = [{ kind: 'video', averageFrameRate: 25 }, { kind: 'audio' }];
const probe = { reader: 'ffprobe 5.1.9', durationSeconds: 100, streams };

export type Faults = {
  video?: Partial<VideoRecord> | null;
  audio?: Partial<AudioRecord> | null;
  decoding?: Partial<Decoding>;
  probe?: object;
};

/** Returns the findings for a file of 100 s that has only these faults. */
export function checkFaults(faults: Faults, declared = declarationFor('a.mp4')): Finding[] {
  const evidence = {
    video: faults.video === null ? null : { ...video, ...faults.video },
    audio: faults.audio === null ? null : { ...audio, ...faults.audio },
    decoding: { ...decoding, ...faults.decoding },
    probe: { ...probe, ...faults.probe },
  } as unknown as Evidence;
  return sidekick.check(evidence, declared);
}
