import type { CoverageKind, NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import { type BoundName, bounds, hitBounds } from '#evidence/bounded.ts';
import type { Complaint } from '#evidence/file/metadata/metadata-report.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { listFirst, toPlainText } from '#sidekick/words.ts';
import type { FactEvidence } from './facts.ts';
import type { RuleCode } from './rules.ts';

type Unread = { subject: string; kind: CoverageKind; label: string; reason: NotExaminedReason; summary: string };

/** Thumbnails beyond these are in the evidence, as not compared. */
const thumbnailBounds: readonly BoundName[] = ['thumbnails', 'thumbnailBytes'];

/** Reports metadata and thumbnails that could not be checked in full. */
export function judgeUnread({ metadata }: FactEvidence): Finding<RuleCode>[] {
  if (!metadata) return [];
  return [
    ...unreadMetadata(metadata.complaints),
    ...beyondLimits(hitBounds({ metadata }, ['metadata'])),
    ...uncomparedThumbnails(metadata.thumbnails),
  ].map(({ kind, label, reason, ...fields }) =>
    notVerifiedFinding(
      'META-NOT-VERIFIED',
      { kind, label, reason, share: null },
      { ...fields, severityReasoning: `Not verified: ${label}` },
    ),
  );
}

/** One for each reason. The first has the subject of all such findings of earlier versions. */
function unreadMetadata(complaints: readonly Complaint[]): Unread[] {
  return [...Map.groupBy(complaints, ({ reason }) => reason)].map(([reason, ofReason], i) => {
    const text = toPlainText(ofReason[0]?.text ?? '');
    return {
      subject: i === 0 ? 'metadata' : `metadata (${reason})`,
      kind: 'metadata',
      label: `metadata: ${text}`,
      reason,
      summary: `The metadata could not be read in full (${text}). Review it manually.`,
    };
  });
}

function beyondLimits(hit: readonly BoundName[]): Unread[] {
  const others = hit.filter((name) => !thumbnailBounds.includes(name));
  const isPhoto = (name: BoundName) => bounds[name].kind === 'embedded_file';
  return [...Map.groupBy(others, (name) => (isPhoto(name) ? 'photos' : 'size'))].map(([subject, names]) => {
    const label = listFirst(names.map((name) => bounds[name].label));
    return {
      subject,
      kind: subject === 'photos' ? 'embedded_file' : 'metadata',
      label,
      reason: 'limit_reached',
      summary: `The file has more metadata than can be checked (not checked: ${label}). Review it manually.`,
    };
  });
}

function uncomparedThumbnails(thumbnails: NonNullable<FactEvidence['metadata']>['thumbnails']): Unread[] {
  const uncompared = thumbnails.filter(({ likeness }) => !likeness);
  const reason = uncompared[0]?.reason;
  if (!reason) return [];
  const why =
    {
      limit_reached: 'it exceeds a limit',
      unsupported: 'images in the format of this file are not decoded here',
    }[reason as string] ?? 'one of them cannot be decoded';
  return [
    {
      subject: 'thumbnail',
      kind: 'image',
      label: listFirst(uncompared.map(({ name }) => name)),
      reason,
      summary: `A thumbnail could not be compared with the image, because ${why}. Review the thumbnail manually.`,
    },
  ];
}
