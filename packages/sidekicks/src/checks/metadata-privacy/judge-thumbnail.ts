import { formatDecimals, formatPercent, toMeasurement } from '#sidekick/format-values.ts';
import { uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import { toPlainText } from '#sidekick/words.ts';
import type { FactEvidence } from './facts.ts';
import type { RuleCode } from './rules.ts';

/** Below this correlation, the thumbnail shows a different image or a different part of the image. */
export const correlationMin = 0.95;
/** If at least this share of the pixels differs, something is covered in only one of the two images. */
export const differingShareMax = 0.008;

/** Reports a thumbnail that differs from its image. */
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
  const fields = {
    subject: 'thumbnail',
    summary: `The ${width} × ${height} thumbnail (${toPlainText(name)}) differs from the image and may show what was cropped or covered. Remove it: exiftool -${toPlainText(name)}= FILE.`,
    severityReasoning: `Correlation ${formatDecimals(correlation, 2, correlationMin)} (minimum ${formatDecimals(correlationMin, 2)}); ${formatPercent(differingShare, differingShareMax)} of the image differs clearly (limit ${formatPercent(differingShareMax)})`,
    measured: toMeasurement(correlation),
    limit: correlationMin,
    unit: 'correlation',
  };
  return [uncertainFinding('META-THUMBNAIL', fields)];
}
