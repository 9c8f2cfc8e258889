import type { Packets } from '#evidence/media/packets/packet-list.ts';
import { formatInteger } from '#sidekick/format-values.ts';
import { scanOf } from '#sidekick/scan.ts';
import { activePictureOf, displayAspectOf, isActivePictureAccepted, isSameAspect } from './aspect.ts';
import { type Expectation, expectOneOf, expectTrue, expectWithin } from './expectation.ts';
import type { Facts } from './facts.ts';
import { isSameFraction } from './fraction.ts';
import { formatBitRate } from './judge-file.ts';

/** Expectations for the first video stream, apart from its colours. */
export const videoExpectations: readonly Expectation[] = [
  expectWithin({
    ruleCode: 'SPEC-VIDEO-TRACKS',
    member: 'videoTracks',
    appliesWithoutStream: true,
    name: 'Number of video tracks',
    remedy: 'Add or remove video tracks.',
    read: ({ videoCount }) => [videoCount],
    unit: 'tracks',
    format: formatInteger,
  }),
  expectOneOf({
    ruleCode: 'SPEC-VIDEO-CODEC',
    member: 'videoCodecs',
    name: 'Video codec',
    remedy: 'Export the video with an accepted codec.',
    read: ({ video }) => [video?.codec ?? null],
  }),
  expectOneOf({
    ruleCode: 'SPEC-VIDEO-PROFILE',
    member: 'videoProfiles',
    name: 'Profile of the video codec',
    remedy: 'Export the video with an accepted profile.',
    read: ({ video }) => [video?.profile ?? null],
  }),
  expectWithin({
    ruleCode: 'SPEC-VIDEO-LEVEL',
    member: 'videoLevelMax',
    name: 'Level of the video codec',
    remedy: 'Export the video with a lower level.',
    read: levelOf,
    // A codec with numeric levels may leave its level undeclared; those of other codecs are not compared.
    unknownBecause: ({ video }) => (otherLevels.has(video?.codec ?? '') ? 'unsupported' : null),
    bounds: ({ videoLevelMax }) => ({ max: videoLevelMax }),
    unit: 'level',
    format: (level) => level.toFixed(1),
  }),
  expectOneOf({
    ruleCode: 'SPEC-RESOLUTION',
    member: 'resolutions',
    name: 'Resolution',
    remedy: 'Export the video in an accepted resolution.',
    accepted: ({ resolutions }) => (resolutions ?? []).map(({ width, height }) => `${width}×${height}`),
    read: ({ video }) => [video?.width && video.height ? `${video.width}×${video.height}` : null],
  }),
  expectOneOf({
    ruleCode: 'SPEC-FRAME-RATE',
    member: 'frameRates',
    name: 'Frame rate',
    remedy: 'Export the video at an accepted rate.',
    read: ({ video }) => [video?.frameRateFraction?.replace(/\/1$/, '') ?? null],
    isAccepted: (rate, accepted) => accepted.some((expected) => isSameFraction(rate, expected)),
  }),
  expectTrue({
    ruleCode: 'SPEC-FRAME-RATE-VARIABLE',
    member: 'requireConstantFrameRate',
    name: 'Frame rate',
    remedy: 'Convert to a constant frame rate.',
    needs: ['video'],
    found: 'variable',
    expected: 'a constant one',
    read: ({ evidence: { video } }) => (video ? video.timing.irregularCount === 0 : null),
  }),
  expectOneOf({
    ruleCode: 'SPEC-SCAN',
    member: 'scans',
    name: 'Scan type',
    remedy: 'Export the video with an accepted scan type.',
    needs: ['mediaInfo'],
    read: ({ video, evidence }) => [scanOf(video, evidence.mediaInfo)],
  }),
  expectOneOf({
    ruleCode: 'SPEC-DISPLAY-ASPECT',
    member: 'displayAspectRatios',
    name: 'Display aspect ratio',
    remedy: 'Correct the resolution or the pixel aspect ratio.',
    read: displayAspectOf,
    isAccepted: (ratio, accepted) => accepted.some((expected) => isSameAspect(ratio, expected)),
  }),
  expectOneOf({
    ruleCode: 'SPEC-PIXEL-ASPECT',
    member: 'pixelAspectRatios',
    name: 'Pixel aspect ratio',
    remedy: 'Export with an accepted pixel aspect ratio.',
    // Without a declaration every player uses square pixels.
    read: ({ video }) => [video?.sampleAspectRatio ?? '1:1'],
    isAccepted: (ratio, accepted) => accepted.some((expected) => isSameFraction(ratio, expected)),
  }),
  expectOneOf({
    ruleCode: 'SPEC-ACTIVE-PICTURE',
    member: 'activePicture',
    name: 'Active picture',
    remedy: 'Remove or correct the black bars.',
    needs: ['activePicture'],
    read: activePictureOf,
    unknownBecause: ({ evidence: { activePicture } }) =>
      activePicture && 'notMeasured' in activePicture ? activePicture.notMeasured : null,
    isAccepted: (_, accepted, facts) => isActivePictureAccepted(facts, accepted),
  }),
  expectOneOf({
    ruleCode: 'SPEC-ROTATION',
    member: 'rotations',
    name: 'Rotation',
    remedy: 'Rotate the frames themselves.',
    // ffprobe reports anticlockwise degrees.
    read: ({ video }) => [`${((Math.round(-(video?.rotation ?? 0)) % 360) + 360) % 360}`],
  }),
  expectWithin({
    ruleCode: 'SPEC-VIDEO-BIT-RATE',
    member: 'videoBitsPerSecond',
    name: 'Bit rate of the video',
    remedy: 'Export with another bit rate.',
    needs: ['packets'],
    read: videoBitRateOf,
    unit: 'bit/s',
    format: formatBitRate,
  }),
  expectOneOf({
    ruleCode: 'SPEC-VIDEO-BIT-RATE-MODE',
    member: 'videoBitRateModes',
    name: 'Bit rate mode of the video',
    remedy: 'Export with the other mode.',
    needs: ['mediaInfo'],
    read: ({ evidence }) => [evidence.mediaInfo?.video?.bitRateMode ?? null],
  }),
  expectWithin({
    ruleCode: 'SPEC-GOP-LENGTH',
    member: 'gopFramesMax',
    name: 'Longest group of pictures',
    remedy: 'Export with shorter groups.',
    needs: ['packets'],
    read: ({ evidence: { packets } }) => [packets?.groupFramesMax ?? null],
    bounds: ({ gopFramesMax }) => ({ max: gopFramesMax }),
    unit: 'frames',
    format: (frames) => `${formatInteger(frames)} ${frames === 1 ? 'frame' : 'frames'}`,
  }),
  expectTrue({
    ruleCode: 'SPEC-GOP-OPEN',
    member: 'requireClosedGop',
    name: 'Groups of pictures',
    isPlural: true,
    remedy: 'Export with closed groups.',
    needs: ['packets'],
    found: 'open',
    expected: 'closed ones',
    read: ({ evidence: { packets } }) => (packets ? hasClosedGroups(packets) : null),
    unknownBecause: () => 'not_measurable', // the packets have no timestamps
  }),
];

/** Codecs with levels that do not have one sequence of numbers, or that ffprobe does not read. */
const otherLevels = new Set(['mpeg2video', 'mpeg4', 'vc1', 'vp9', 'vvc']);

/** Empty for codecs without levels. */
function levelOf({ video }: Facts): (number | null)[] {
  if (video?.codec === 'h264') return [video.level === null ? null : video.level / 10];
  if (video?.codec === 'hevc') return [video.level === null ? null : video.level / 30];
  if (video?.codec === 'av1') return [video.level === null ? null : 2 + (video.level >> 2) + (video.level & 3) / 10];
  return otherLevels.has(video?.codec ?? '') ? [null] : [];
}

/** Null if it is unknown. A group of one frame is always closed. */
function hasClosedGroups({ hasOpenGroup, groupFramesMax }: Packets): boolean | null {
  if (groupFramesMax === 1) return true;
  return hasOpenGroup === null ? null : !hasOpenGroup;
}

function videoBitRateOf({ video, probe, evidence: { packets } }: Facts): (number | null)[] {
  const seconds = video?.durationSeconds ?? probe.durationSeconds;
  return [packets && seconds ? (packets.sizeBytes * 8) / seconds : null];
}
