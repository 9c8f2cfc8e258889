import type { Evidence } from '#evidence/evidence.ts';

const emptySeries = { stepSeconds: 0.1, values: [] };
const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
const stream = (index: number, kind: string) => ({
  index,
  kind,
  isAttachedPicture: false,
  durationSeconds: 100,
  averageFrameRate: 25,
  channels: 2,
  channelLayout: 'stereo',
  ...{ codec: kind === 'video' ? 'h264' : 'aac', profile: 'High', level: 41, width: 1280, height: 720, rotation: 0 },
  ...{ pixelFormat: 'yuv420p', fieldOrder: 'progressive', sampleAspectRatio: '1:1', chromaLocation: 'left' },
  ...{ colourRange: 'tv', colourMatrix: 'bt709', colourTransfer: 'bt709', colourPrimaries: 'bt709' },
  ...{ realFrameRate: 50, frameRateFraction: '25', frameCount: 2500, bitsPerSecond: 1_000_000, bitDepth: null },
  ...{ sampleRate: 44_100, startSeconds: 0, language: 'eng', hdr: { mastering: null, light: null } },
  tags: [],
});
const cue = (from: number, to: number, ...lines: string[]) => ({
  startMs: from * 1000,
  endMs: to * 1000,
  lines,
  line: 1,
});
const flashRun = (kind: string, area: string) => ({
  kind,
  area,
  startSeconds: 10,
  endSeconds: 12,
  peakTransitions: 12,
  peakFlashes: 6,
  peakAreaShare: 0.6,
  peakStartSeconds: 10,
  peakSeconds: 11,
  boxes: [{ x: 0, y: 0, width: 1, height: 1 }],
});

/** The evidence of a video with every kind of fault for which a profile has a limit. */
export const faultyEvidence = {
  recognition: 'video/mp4',
  mediaInfo: null,
  packets: null,
  activePicture: null,
  testSignature: null,
  textFlaw: null,
  imageHeader: null,
  foreignContent: { opening: null, scriptInHead: null, appended: null },
  pdfContent: null,
  zipContent: null,
  metadata: null,
  cueFile: null,
  embeddedCaptions: {
    tracks: [
      {
        streamIndex: 2,
        codec: 'mov_text',
        language: 'eng',
        kind: 'text',
        isForced: false,
        unread: [],
        cues: [
          cue(1, 2, 'one two three four five six seven eight nine ten', 'a', 'b', 'c', 'd'),
          cue(3, 20, 'slow'),
          cue(30, 32, 'one two three four five six seven'),
        ],
      },
    ],
  },
  probe: {
    reader: 'ffprobe 5.1.9',
    ...{ container: 'mov,mp4,m4a,3gp,3g2,mj2', startSeconds: 0, bitsPerSecond: 1_100_000, isEncrypted: false },
    durationSeconds: 100,
    tags: [],
    streams: [stream(0, 'video'), stream(1, 'audio')],
    chapters: [],
  },
  loudness: {
    integratedLufs: -9,
    rangeLu: 5,
    truePeakDb: 1.5,
    truePeakChannel: 1,
    truePeakAtSeconds: 12.4,
    maxShortTerm: { lufs: -6, seconds: 65 },
    maxMomentary: { lufs: -5, seconds: 64 },
    durationSeconds: 20,
    momentary: emptySeries,
    shortTerm: emptySeries,
  },
  video: {
    claimed: { fieldOrder: 'progressive', isFullRange: false, matrix: 'bt709', frameRate: 25 },
    timing: {
      ...{ count: 2500, firstSeconds: 0, lastSeconds: 99.96, endSeconds: 100, irregularCount: 0 },
      ...{ shortestSeconds: 0.04, longestSeconds: 0.04, usualSeconds: 0.04 },
    },
    black: [range(20, 26)],
    freeze: [range(40, 60)],
    levels: {
      outside: [{ ...range(5, 9), peakShare: 0.4, peakSeconds: 6, share: 0.4 }],
      lumaCounts: Array.from({ length: 256 }, () => 10),
    },
    fields: { tff: 0, bff: 0, progressive: 2400, undetermined: 100 },
    luminance: emptySeries,
  },
  audio: {
    ...{ sampleRate: 48_000, layout: 'stereo', durationSeconds: 90, audibleSeconds: 80 },
    channels: [
      { peakDb: 0, audibleSeconds: 80 },
      { peakDb: 0, audibleSeconds: 80 },
    ],
    silence: [range(50, 60)],
    clipping: { runCount: 3, longestRunSamples: 12, ranges: [range(1, 2)] },
    stereo: { audibleSeconds: 80, identicalSeconds: 2, inverted: [], invertedSeconds: 0 },
    active: [range(0, 40)],
    level: emptySeries,
  },
  flashes: {
    runs: ['screen', '341x256', '416x416'].flatMap((area) => [flashRun('luminance', area), flashRun('red', area)]),
    extended: [],
    series: { transitions: emptySeries, meanLuminance: emptySeries },
    lookedAt: { width: 1920, height: 1080 },
    isWhole: true,
    undecodedShare: 0,
    frameCount: 2500,
    isByField: false,
    isTooFast: false,
  },
  patterns: { runs: [] },
  decoding: { errorCount: 0, messages: [], videoEndSeconds: 100, audioEndSeconds: 90, isCutShort: false },
} as unknown as Evidence;
