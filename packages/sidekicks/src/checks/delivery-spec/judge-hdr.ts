import { linearLightBy, referenceLuminance } from '#evidence/media/decode/signal/light.ts';
import { formatDecimals } from '#sidekick/format-values.ts';
import { type Expectation, expectOneOf, expectTrue, expectWithin } from './expectation.ts';
import type { Facts } from './facts.ts';

const needs = ['mediaInfo'] as const;
const unit = 'cd/m²';
const formatLuminance = (value: number, limit?: number) => `${formatDecimals(value, value < 1 ? 4 : 0, limit)} ${unit}`;

/** Expectations for the HDR metadata of the container or, without it, of the video stream. */
export const hdrExpectations: readonly Expectation[] = [
  expectTrue({
    ruleCode: 'SPEC-MASTERING-MISSING',
    member: 'requireMasteringDisplay',
    name: 'Metadata of the mastering display',
    remedy: 'Export with the metadata of SMPTE ST 2086.',
    needs,
    found: 'missing',
    expected: 'it',
    read: (facts) => isDeclared(facts, facts.hdr.mastering),
  }),
  expectOneOf({
    ruleCode: 'SPEC-MASTERING-PRIMARIES',
    member: 'masteringPrimaries',
    name: 'Primaries of the mastering display',
    isPlural: true,
    remedy: 'Correct the metadata.',
    needs,
    read: (facts) => masteringValue(facts, 'primaries'),
  }),
  expectWithin({
    ruleCode: 'SPEC-MASTERING-LUMINANCE-MAX',
    member: 'masteringLuminanceMax',
    name: 'Peak luminance of the mastering display',
    remedy: 'Correct the metadata.',
    needs,
    read: (facts) => masteringValue(facts, 'luminanceMax'),
    unit,
    format: formatLuminance,
  }),
  expectWithin({
    ruleCode: 'SPEC-MASTERING-LUMINANCE-MIN',
    member: 'masteringLuminanceMin',
    name: 'Lowest luminance of the mastering display',
    remedy: 'Correct the metadata.',
    needs,
    read: (facts) => masteringValue(facts, 'luminanceMin'),
    tolerance: 0.00005, // half the step of 0.0001 cd/m² in which files store this value
    unit,
    format: formatLuminance,
  }),
  expectTrue({
    ruleCode: 'SPEC-LIGHT-LEVEL-MISSING',
    member: 'requireContentLight',
    name: 'Content light level',
    remedy: 'Export with MaxCLL and MaxFALL.',
    needs,
    found: 'missing',
    expected: 'MaxCLL and MaxFALL',
    read: (facts) => isDeclared(facts, facts.hdr.light),
  }),
  expectWithin({
    ruleCode: 'SPEC-MAX-CLL',
    member: 'maxCll',
    name: 'MaxCLL',
    remedy: 'Correct the metadata or the grade.',
    needs,
    read: (facts) => lightLevel(facts, 'maxCll'),
    unit,
    format: formatLuminance,
  }),
  expectWithin({
    ruleCode: 'SPEC-MAX-FALL',
    member: 'maxFall',
    name: 'MaxFALL',
    remedy: 'Correct the metadata or the grade.',
    needs,
    read: (facts) => lightLevel(facts, 'maxFall'),
    unit,
    format: formatLuminance,
  }),
  expectWithin({
    ruleCode: 'SPEC-MAX-FALL-MEASURED',
    member: 'lightLevelTolerance',
    name: 'Average luminance of the brightest frames',
    remedy: 'Measure MaxFALL again and correct the metadata.',
    needs: ['mediaInfo', 'video'],
    read: maxFallLowerBound,
    bounds: ({ lightLevelTolerance }, { hdr }) => ({
      max: (hdr.light?.maxFall ?? 0) * (1 + (lightLevelTolerance ?? 0)),
    }),
    unit,
    format: formatLuminance,
  }),
];

/** Null if MediaInfo, which finds metadata that is only in the video stream, could not read the file. */
function isDeclared({ evidence }: Facts, metadata: object | null): boolean | null {
  if (metadata !== null) return true;
  return evidence.mediaInfo === null ? null : false;
}

/** Empty if required metadata is missing, because its absence is already reported by another rule. */
function masteringValue<Name extends 'primaries' | 'luminanceMax' | 'luminanceMin'>({ hdr, spec }: Facts, name: Name) {
  if (!hdr.mastering && spec.requireMasteringDisplay) return [];
  return [hdr.mastering?.[name] ?? null];
}

function lightLevel({ hdr, spec }: Facts, name: 'maxCll' | 'maxFall'): (number | null)[] {
  if (!hdr.light && spec.requireContentLight) return [];
  return [hdr.light?.[name] ?? null];
}

/**
 * A lower bound of MaxFALL, for PQ only: the luminance of the mean code. PQ is convex, so the mean luminance is not
 * lower, and MaxFALL counts the brightest of R, G and B. A declared MaxFALL below this bound is certainly wrong.
 */
function maxFallLowerBound({ video, hdr, evidence }: Facts): (number | null)[] {
  const transfer = video?.colourTransfer ?? evidence.mediaInfo?.video?.colourTransfer;
  if (transfer !== 'smpte2084' || !hdr.light?.maxFall) return [];
  if (!evidence.video) return [null];
  const brightest = evidence.video.luminance.values.reduce((most, value) => Math.max(most, value), 0);
  return [linearLightBy.pq(brightest) * referenceLuminance];
}
