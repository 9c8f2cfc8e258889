import type { NotExamined } from '@assay/contract/schemas/coverage.ts';
import { notExaminedReasons } from '@assay/contract/schemas/coverage.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { audioNotExamined, videoNotExamined } from '#evidence/media/probe/streams.ts';
import { notVerifiedFinding } from './rule-table.ts';
import type { Finding } from './sidekick.ts';

const namesMax = 8;

/** What a check examined: the main video, the first audio programmes, or both. */
type ExaminedStreams = { video?: true; audioProgrammes?: number };

/** One finding for each kind of stream that the check left out, and each reason. None if it examined every stream. */
export function unexaminedStreamFindings<RuleCode extends string>(
  ruleCode: RuleCode,
  probe: Probe | null,
  { video, audioProgrammes }: ExaminedStreams,
): Finding<RuleCode>[] {
  if (!probe) return [];
  const parts = [
    ...(video ? videoNotExamined(probe) : []),
    ...(audioProgrammes === undefined ? [] : audioNotExamined(probe, audioProgrammes)),
  ];
  return unexaminedFindings(ruleCode, parts);
}

/** One finding for each kind and reason; its label lists the names of all parts. */
export function unexaminedFindings<RuleCode extends string>(
  ruleCode: RuleCode,
  parts: readonly NotExamined[],
): Finding<RuleCode>[] {
  const groups = Map.groupBy(parts, ({ kind, reason }) => `${kind} ${reason}`);
  return [...groups.values()].map((group) => {
    const [{ kind, reason }] = group as [NotExamined];
    const label = listNames(group.map((part) => part.label));
    const media = kind === 'video_stream' ? 'video' : 'audio';
    return notVerifiedFinding(
      ruleCode,
      { kind, label, reason, share: null },
      {
        subject: `${media} tracks not examined: ${reason}`,
        summary: `Not examined: ${label}. Deliver the tracks in separate files, or check them by hand.`,
        severityReasoning: `Left out of the examination, because ${notExaminedReasons[reason]}: ${label}`,
      },
    );
  });
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ');
  return names.length > namesMax ? `${shown} and ${names.length - namesMax} more` : shown;
}
