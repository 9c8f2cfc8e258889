import { uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { plain } from '../../words.ts';
import type { FactEvidence } from './facts.ts';
import type { RuleCode } from './rules.ts';

/** Below this the two are different pictures, or different parts of one. */
export const correlationMin = 0.95;
/** From this on something was covered in the one and not in the other. */
export const differingShareMax = 0.008;

/** Does a thumbnail show something else than the picture? */
export function judgeThumbnail({ metadata }: FactEvidence): Finding<RuleCode>[] {
  const differing = (metadata?.thumbnails ?? []).flatMap(({ name, width, height, likeness }) => {
    if (!likeness) return [];
    const { correlation, differingShare } = likeness;
    if (correlation >= correlationMin && differingShare < differingShareMax) return [];
    return [{ name, width, height, correlation, differingShare }];
  });
  const worst = differing.toSorted((a, b) => a.correlation - b.correlation)[0];
  if (!worst) return [];
  const { name, width, height, correlation, differingShare } = worst;
  const said = {
    subject: 'thumbnail',
    summary: `A thumbnail of ${width} × ${height} in the file differs from the picture (${plain(name)}): it may show what was cut off or covered. Remove it: exiftool -${plain(name)}= FILE.`,
    severityReasoning: `Correlation ${correlation.toFixed(2)} (at least ${correlationMin} for the same picture); ${(100 * differingShare).toFixed(1)} % of it differ clearly (less than ${100 * differingShareMax} %).`,
    measured: Number(correlation.toFixed(3)),
    limit: correlationMin,
    unit: 'correlation',
  };
  return [uncertain('META-THUMBNAIL', said)];
}

/** What could not be read, or not to its end. */
export function judgeUnread({ metadata }: FactEvidence): Finding<RuleCode>[] {
  if (!metadata) return [];
  const { complaints, isWhole, thumbnails } = metadata;
  const reasons: [boolean, string, string][] = [
    [complaints.length > 0, 'metadata', `The metadata could not be read: ${plain(complaints[0] ?? '')}`],
    [complaints.length === 0 && !isWhole, 'size', 'The file has more metadata than are read.'],
    [
      thumbnails.some(({ likeness }) => !likeness),
      'thumbnail',
      'A thumbnail could not be compared with the picture, as one of the two cannot be decoded here.',
    ],
  ];
  return reasons
    .filter(([applies]) => applies)
    .map(([, subject, summary]) =>
      uncertain('META-NOT-VERIFIED', { subject, summary, severityReasoning: 'Could not be verified.' }),
    );
}
