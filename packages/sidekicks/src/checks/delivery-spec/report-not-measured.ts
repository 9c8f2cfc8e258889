import type { CoverageKind, NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { unexaminedStreamFindings } from '#sidekick/unexamined-streams.ts';
import { type Expectation, listOf, type NotMeasured } from './expectation.ts';
import type { Facts } from './facts.ts';
import type { RuleCode } from './rules.ts';

const because: Readonly<Record<NotExaminedReason, string>> = {
  damaged: 'this part of the file cannot be read',
  encrypted: 'this part of the file is encrypted',
  unsupported: 'this version cannot measure it in this format',
  limit_reached: 'a limit on memory or time was reached',
  not_measurable: 'the file has nothing to measure it by',
};
const kinds = { video: 'video_stream', audio: 'audio_stream', file: 'metadata' } as const satisfies Record<
  string,
  CoverageKind
>;

/** Says which expectations were not compared with the file: one finding for each reason and kind of stream. */
export function reportNotMeasured(
  unmeasured: readonly (NotMeasured & { stream: Expectation['stream'] | undefined })[],
): Finding<RuleCode>[] {
  const groups = Map.groupBy(unmeasured, ({ stream = 'file', reason }) => `${stream} ${reason}`);
  return [...groups].flatMap(([key, group]) => {
    const [first] = group;
    if (!first) return [];
    const { reason, stream = 'file' } = first;
    const label = listOf(
      group.map((one) => one.label),
      'and',
    );
    return notVerifiedFinding(
      'SPEC-NOT-VERIFIED',
      { kind: kinds[stream], label, reason, share: null },
      {
        subject: `not measured: ${key}`,
        summary: `Not compared with the profile, because ${because[reason]}: ${label}. Check this by hand, or export the file again.`,
        severityReasoning: `Not measured: ${label}`,
      },
    );
  });
}

/** Only the main video track is compared. How many there are is a matter of its own. */
export function reportFurtherTracks(expectations: readonly Expectation[], { probe }: Facts): Finding<RuleCode>[] {
  const isSpecified = expectations.some(
    ({ stream, appliesWithoutStream }) => stream === 'video' && !appliesWithoutStream,
  );
  return isSpecified ? unexaminedStreamFindings('SPEC-NOT-VERIFIED', probe, { video: true }) : [];
}
