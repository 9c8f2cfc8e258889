import { defineSidekick } from '#sidekick/sidekick.ts';
import { expectationsOf } from './expectations.ts';
import { factsOf } from './facts.ts';
import { rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.0.0';

/** Checks whether the file meets the delivery specification of the profile. */
export const sidekick = defineSidekick({
  id: '5d7c4b0e-3a0f-4c57-9a56-2f8c6b1e9d43',
  name: 'Delivery specification',
  topicLabel: 'Delivery specification',
  shortName: 'delivery-spec',
  version,
  description:
    'Compares container, codecs, resolution, frame rate, scan, aspect, colour, HDR metadata, audio format, languages, timecode, duration and lead-in with what the delivery profile expects.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['recognition', 'probe', 'mediaInfo', 'packets', 'activePicture', 'video', 'audio'],
  // Most profiles expect nothing, so no evidence is read for them.
  needsFor: (profile) => {
    const expectations = expectationsOf(profile);
    const needs = expectations.flatMap((expectation) => expectation.needs);
    return expectations.length > 0 ? [...new Set(['recognition' as const, 'probe' as const, ...needs])] : [];
  },
  rules,
  validateLimits,
  // `probe` is undefined if nothing is expected.
  applies: ({ probe }) => Boolean(probe),
  check: (evidence, { profile }) => {
    const facts = factsOf(evidence, profile.limits.deliverySpec);
    if (!facts) return [];
    const readers = [facts.probe.reader, ...(evidence.mediaInfo ? [evidence.mediaInfo.reader] : [])].join(', ');
    return expectationsOf(profile).flatMap((expectation) => {
      const finding = expectation.judge(facts);
      if (!finding) return [];
      return { ...finding, severityReasoning: `${finding.severityReasoning} (${readers}; delivery-spec ${version})` };
    });
  },
});
