import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import { formatDecimals, formatInteger, formatPercent, toMeasurement } from '#sidekick/format-values.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { RuleCode } from './rules.ts';

/** A video is interlaced if at least this many frames, and this share of all determined frames, show fields. */
const interlacedCountMin = 20;
const interlacedShareMin = 0.75;
/** One order must dominate: vertical motion in progressive frames looks like fields of alternating order. */
const orderRatioMin = 10;
const irregularCountMin = 5;
const irregularShareMin = 0.01;

const fieldOrderNames = { tff: 'top field first', bff: 'bottom field first', progressive: 'progressive' } as const;

/** Reports motion that does not match the flags (interlaced, field order), and a variable frame rate. */
export function judgeMotion(record: VideoRecord): Finding<RuleCode>[] {
  return [...judgeFields(record), ...judgeRate(record)];
}

function judgeFields({ fields, claimed }: VideoRecord): Finding<RuleCode>[] {
  const { tff, bff, progressive, undetermined } = fields;
  const interlaced = tff + bff;
  if (interlaced < interlacedCountMin || interlaced < interlacedShareMin * (interlaced + progressive)) return [];
  const order = tff >= orderRatioMin * bff ? 'tff' : bff >= orderRatioMin * tff ? 'bff' : null;
  const { fieldOrder } = claimed;
  if (order === null || order === fieldOrder) return [];
  const flag = fieldOrder ? `flagged ${fieldOrderNames[fieldOrder]}` : 'not flagged as interlaced';
  const total = formatInteger(interlaced + progressive + undetermined);
  // Needs review, because sharp titles that roll steadily in progressive frames look the same.
  const finding = uncertainFinding('QC-FIELDS', {
    subject: 'field order',
    summary:
      fieldOrder === 'tff' || fieldOrder === 'bff'
        ? `Field order is ${fieldOrderNames[order]}, but the file is ${flag}. Swap the fields or correct the flag.`
        : `Video is interlaced (${fieldOrderNames[order]}), but the file is ${flag}. Correct the flag or deinterlace.`,
    severityReasoning: `Of ${total} frames, ${formatInteger(tff)} show top field first, ${formatInteger(bff)} bottom field first and ${formatInteger(progressive)} no fields; ${flag}`,
    measured: interlaced,
    unit: 'interlaced frames',
  });
  return [finding];
}

function judgeRate({ timing }: VideoRecord): Finding<RuleCode>[] {
  const { count, irregularCount, usualSeconds, shortestSeconds, longestSeconds } = timing;
  const share = count > 1 ? irregularCount / (count - 1) : 0;
  if (irregularCount < irregularCountMin || toMeasurement(share * 100) <= irregularShareMin * 100) return [];
  const milliseconds = (seconds: number | null) => `${formatDecimals((seconds ?? 0) * 1000, 1)} ms`;
  return [
    certainFinding('QC-VFR', {
      subject: 'frame rate',
      summary: `Frame rate is variable: ${formatPercent(share, irregularShareMin)} of frames (limit ${formatPercent(irregularShareMin)}) last longer or shorter than the usual ${milliseconds(usualSeconds)}. Convert to a constant frame rate before editing or broadcast.`,
      severityReasoning: `${formatInteger(irregularCount)} of ${formatInteger(count - 1)} frames last longer or shorter than ${milliseconds(usualSeconds)}: from ${milliseconds(shortestSeconds)} to ${milliseconds(longestSeconds)}`,
      measured: toMeasurement(share * 100),
      limit: irregularShareMin * 100,
      unit: '% of the frames',
    }),
  ];
}
