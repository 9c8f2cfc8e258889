import type { Profile } from '#sidekick/profile.ts';
import type { Expectation } from './expectation.ts';
import { audioExpectations } from './judge-audio.ts';
import { colourExpectations } from './judge-colour.ts';
import { fileExpectations } from './judge-file.ts';
import { hdrExpectations } from './judge-hdr.ts';
import { videoExpectations } from './judge-video.ts';

/** One expectation for every member of the delivery specification. Each has a rule of its own. */
export const expectations: readonly Expectation[] = [
  ...fileExpectations,
  ...[...videoExpectations, ...colourExpectations, ...hdrExpectations].map(ofStream('video')),
  ...audioExpectations.map((expectation) =>
    expectation.member === 'requiredSubtitleLanguages' ? expectation : ofStream('audio')(expectation),
  ),
];

function ofStream(stream: 'video' | 'audio') {
  return (expectation: Expectation): Expectation => ({ ...expectation, stream });
}

/** The expectations of this profile, except those whose rule it switches off. */
export function expectationsOf({ limits: { deliverySpec }, rules }: Profile): Expectation[] {
  const off = new Set(rules.filter(({ severity }) => severity === 'OFF').map(({ ruleCode }) => ruleCode));
  return expectations.filter(({ member, ruleCode }) => {
    const expected = deliverySpec[member];
    return expected !== null && expected !== undefined && expected !== false && !off.has(ruleCode);
  });
}
