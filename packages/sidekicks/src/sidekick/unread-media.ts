import type { CoverageKind } from '@assay/contract/schemas/coverage.ts';
import { notVerifiedFinding } from './rule-table.ts';
import type { Declared, Finding } from './sidekick.ts';

/** Formats of media whose names do not begin with `video/` or `audio/`. */
const otherMediaFormats = new Set(['unknown', 'application/mxf', 'application/ogg', 'application/vnd.ms-asf']);

/**
 * Whether a file that was not opened as media may still be media: of a format that no demuxer is chosen for, or of an
 * unknown one. Every other recognised format shows that it is not.
 */
export function mayBeMedia(recognition: string): boolean {
  return /^(?:video|audio)\//.test(recognition) || otherMediaFormats.has(recognition);
}

/** A finding about a file that was declared as video or audio, was not opened as such, and may be it all the same. */
export function unreadMediaFindings<RuleCode extends string>(
  ruleCode: RuleCode,
  kind: CoverageKind,
  recognition: string,
  { media }: Pick<Declared, 'media'>,
): Finding<RuleCode>[] {
  if (media.category !== 'video' && media.category !== 'audio') return [];
  if (!mayBeMedia(recognition)) return [];
  return [
    notVerifiedFinding(
      ruleCode,
      { kind, label: 'the whole file', reason: 'unsupported', share: 1 },
      {
        subject: 'unread file',
        summary:
          'The format of the file is not known, so nothing in it was examined. Export it again, or check it by hand.',
        severityReasoning: `Recognised as ${recognition}`,
      },
    ),
  ];
}
