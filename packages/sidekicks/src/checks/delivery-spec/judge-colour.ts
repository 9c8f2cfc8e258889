import { chromaOf, depthOf, isRgb } from '#evidence/media/probe/pixel-format.ts';
import { type Expectation, expectOneOf } from './expectation.ts';
import type { Facts } from './facts.ts';

const rangeNames: Readonly<Record<string, string>> = { tv: 'limited', pc: 'full' };
const flagRemedy = 'Correct the flag if it is wrong, otherwise convert the video.';

/** Expectations for the colours of the first video stream. */
export const colourExpectations: readonly Expectation[] = [
  expectOneOf({
    ruleCode: 'SPEC-COLOUR-PRIMARIES',
    member: 'colourPrimaries',
    name: 'Colour primaries',
    isPlural: true,
    remedy: flagRemedy,
    needs: ['mediaInfo'],
    read: readDeclared('colourPrimaries'),
  }),
  expectOneOf({
    ruleCode: 'SPEC-COLOUR-TRANSFER',
    member: 'colourTransfers',
    name: 'Transfer characteristics',
    isPlural: true,
    remedy: flagRemedy,
    needs: ['mediaInfo'],
    read: readDeclared('colourTransfer'),
  }),
  expectOneOf({
    ruleCode: 'SPEC-COLOUR-MATRIX',
    member: 'colourMatrices',
    name: 'Matrix coefficients',
    isPlural: true,
    remedy: flagRemedy,
    needs: ['mediaInfo'],
    read: readDeclared('colourMatrix'),
  }),
  expectOneOf({
    ruleCode: 'SPEC-COLOUR-RANGE',
    member: 'colourRanges',
    name: 'Range of levels',
    remedy: flagRemedy,
    needs: ['mediaInfo'],
    read: rangeOf,
  }),
  expectOneOf({
    ruleCode: 'SPEC-VIDEO-BIT-DEPTH',
    member: 'videoBitDepths',
    name: 'Bit depth of the video',
    remedy: 'Export the video with an accepted bit depth.',
    read: ({ video }) => [video?.pixelFormat ? `${video.bitDepth ?? depthOf(video.pixelFormat)}` : null],
  }),
  expectOneOf({
    ruleCode: 'SPEC-CHROMA',
    member: 'chromaSubsamplings',
    name: 'Chroma subsampling',
    remedy: 'Export the video with an accepted subsampling.',
    read: ({ video }) => [video?.pixelFormat ? chromaOf(video.pixelFormat) : null],
  }),
  expectOneOf({
    ruleCode: 'SPEC-CHROMA-LOCATION',
    member: 'chromaLocations',
    name: 'Position of chroma samples',
    remedy: flagRemedy,
    // Without chroma subsampling there is no chroma location.
    read: ({ video }) => (isSubsampled(video?.pixelFormat ?? '') ? [knownOrNull(video?.chromaLocation ?? null)] : []),
  }),
];

function readDeclared(member: 'colourPrimaries' | 'colourTransfer' | 'colourMatrix') {
  return ({ video, evidence }: Facts) => [
    knownOrNull(video?.[member] ?? null) ?? evidence.mediaInfo?.video?.[member] ?? null,
  ];
}

/** By convention, an undeclared range is full in RGB and limited otherwise. */
function rangeOf({ video, evidence }: Facts): (string | null)[] {
  const pixels = video?.pixelFormat ?? '';
  if (pixels.startsWith('yuvj')) return ['full'];
  const flag = rangeNames[video?.colourRange ?? ''] ?? evidence.mediaInfo?.video?.colourRange;
  return [flag ?? (isRgb(pixels) ? 'full' : 'limited')];
}

function isSubsampled(pixelFormat: string): boolean {
  return !['4:4:4', '4:0:0', null].includes(chromaOf(pixelFormat));
}

function knownOrNull(value: string | null): string | null {
  return value === null || /^(unknown|unspecified|reserved)/.test(value) ? null : value;
}
