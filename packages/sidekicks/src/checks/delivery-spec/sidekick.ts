import type { Examined } from '@assay/contract/schemas/coverage.ts';
import { mainStreams } from '#evidence/media/probe/streams.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import { defineSidekick, type Finding, type LimitPath, type Rule } from '#sidekick/sidekick.ts';
import { mayBeMedia } from '#sidekick/unread-media.ts';
import type { Expectation } from './expectation.ts';
import { expectations, expectationsOf } from './expectations.ts';
import { type Facts, factsOf } from './facts.ts';
import { decodedEvidenceFor, findContradictions } from './find-contradictions.ts';
import { hasStream, judgeMissingStream } from './judge-missing-stream.ts';
import { reportFurtherTracks, reportNotMeasured } from './report-not-measured.ts';
import { type RuleCode, rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.1.1';

const alwaysNeeded = ['recognition', 'probe'] as const;

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
  needs: ['recognition', 'probe', 'mediaInfo', 'packets', 'activePicture', 'video', 'audio', 'decoding'],
  // Most profiles expect nothing, so no evidence is read for them. Declarations are compared with what was decoded.
  needsFor: (profile) => {
    const expectations = expectationsOf(profile);
    const needs = expectations.flatMap((expectation) => expectation.needs);
    return expectations.length > 0
      ? [...new Set([...alwaysNeeded, ...needs, ...decodedEvidenceFor(expectations)])]
      : [];
  },
  rules: withLimits(rules),
  notVerified: 'SPEC-NOT-VERIFIED',
  validateLimits,
  nothingToExamine: ({ probe, recognition }, { profile }) => {
    if (expectationsOf(profile).length === 0) return 'nothing_in_profile';
    return probe || mayBeMedia(recognition) ? null : 'nothing_in_file';
  },
  examined: (evidence, { profile }) => {
    const facts = factsOf(evidence, profile.limits.deliverySpec);
    return facts ? comparedTracks(facts) : [];
  },
  check: (evidence, { profile }) => {
    const facts = factsOf(evidence, profile.limits.deliverySpec);
    if (!facts) return mayBeMedia(evidence.recognition) ? [unreadFinding(evidence.recognition)] : [];
    const readers = [facts.probe.reader, ...(evidence.mediaInfo ? [evidence.mediaInfo.reader] : [])].join(', ');
    return judgeAll(expectationsOf(profile), facts).map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${readers}; delivery-spec ${version})`,
    }));
  },
});

/** Each rule applies the member of the specification that switches it on. */
function withLimits(rules: Record<RuleCode, Rule>): Record<RuleCode, Rule> {
  const limitsOf = Map.groupBy(expectations, ({ ruleCode }) => ruleCode);
  const rows = (Object.entries(rules) as [RuleCode, Rule][]).map(([code, rule]) => {
    const limits = limitsOf.get(code)?.map(({ member }): LimitPath => `deliverySpec/${member}`);
    return [code, limits ? { ...rule, limits } : rule];
  });
  return Object.fromEntries(rows) as Record<RuleCode, Rule>;
}

function judgeAll(expectations: readonly Expectation[], facts: Facts): Finding<RuleCode>[] {
  const applying = expectations.filter(({ stream }) => !stream || hasStream(stream, facts));
  const judged = applying.map((expectation) => ({ ...expectation.judge(facts), stream: expectation.stream }));
  const unmeasured = judged.flatMap(({ stream, notMeasured }) => (notMeasured ? [{ ...notMeasured, stream }] : []));
  return [
    ...(['video', 'audio'] as const).flatMap((kind) => judgeMissingStream(kind, expectations, facts)),
    ...judged.flatMap(({ finding }) => finding ?? []),
    ...reportFurtherTracks(expectations, facts),
    ...reportNotMeasured([...unmeasured, ...findContradictions(expectations, facts)]),
  ];
}

/** The tracks whose properties are compared: further video tracks are only counted. */
function comparedTracks({ probe }: Facts): Examined[] {
  const { videos, audios } = mainStreams(probe);
  const main = videos.filter(({ role }) => role === 'main');
  const notCounted = { quantity: null, unit: null };
  return [
    { kind: 'metadata', label: 'container', ...notCounted },
    ...main.map(({ name }): Examined => ({ kind: 'video_stream', label: name, ...notCounted })),
    ...audios.map(({ name }): Examined => ({ kind: 'audio_stream', label: name, ...notCounted })),
  ];
}

function unreadFinding(recognition: string): Finding<RuleCode> {
  return notVerifiedFinding(
    'SPEC-NOT-VERIFIED',
    { kind: 'metadata', label: 'the whole file', reason: 'unsupported', share: 1 },
    {
      subject: 'unread file',
      summary: 'Nothing was compared with the profile, because the format of the file is not known. Check it by hand.',
      severityReasoning: `Recognised as ${recognition}; delivery-spec ${version}`,
    },
  );
}
