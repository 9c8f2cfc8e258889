import type { PictureRecord } from '../../evidence/pass/picture/observe-picture.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Finding } from '../../sidekick.ts';
import { type RuleCode, rounded } from './rules.ts';

/** So many pictures must show fields before the film is called interlaced, and be most of those that can be told. */
const interlacedCountMin = 20;
const interlacedShareMin = 0.75;
/** And they agree on the order: what moves up or down in whole pictures looks like fields, now of one order, now the other. */
const orderRatioMin = 10;
const irregularCountMin = 5;
const irregularShareMin = 0.01;

const orders = { tff: 'top field first', bff: 'bottom field first', progressive: 'progressive' } as const;

/** Whether motion is as the file says: in fields or not, in which order, at an even rate. */
export function judgeMotion(picture: PictureRecord): Finding<RuleCode>[] {
  return [...judgeFields(picture), ...judgeRate(picture)];
}

function judgeFields({ fields, claimed }: PictureRecord): Finding<RuleCode>[] {
  const { tff, bff, progressive, undetermined } = fields;
  const interlaced = tff + bff;
  if (interlaced < interlacedCountMin || interlaced < interlacedShareMin * (interlaced + progressive)) return [];
  const order = tff >= orderRatioMin * bff ? 'tff' : bff >= orderRatioMin * tff ? 'bff' : null;
  const { fieldOrder } = claimed;
  if (order === null || order === fieldOrder) return [];
  const shown = orders[order];
  const isFlagged = fieldOrder === 'tff' || fieldOrder === 'bff';
  // A steady roll of sharp titles in whole pictures looks the same, so a person has to look.
  const finding = uncertain('QC-FIELDS', {
    subject: 'field order',
    summary: isFlagged
      ? `The picture has its fields in the wrong order: they are ${shown}, the file says ${orders[fieldOrder]}. Swap the fields or mend the flag.`
      : `The picture is interlaced (${shown}), but the file ${fieldOrder ? 'says that it is progressive' : 'does not say so'}: players do not deinterlace it. Flag it, or deinterlace it.`,
    severityReasoning: `Of ${interlaced + progressive + undetermined} pictures ${tff} show top field first, ${bff} bottom field first, ${progressive} none; flagged ${fieldOrder ? orders[fieldOrder] : 'nothing'}`,
    measured: interlaced,
    unit: 'interlaced pictures',
  });
  return [finding];
}

function judgeRate({ timing }: PictureRecord): Finding<RuleCode>[] {
  const { count, irregularCount, usualSeconds, shortestSeconds, longestSeconds } = timing;
  const share = count > 1 ? irregularCount / (count - 1) : 0;
  if (irregularCount < irregularCountMin || share <= irregularShareMin) return [];
  const milliseconds = (seconds: number | null) => ((seconds ?? 0) * 1000).toFixed(0);
  return [
    certain('QC-VFR', {
      subject: 'frame rate',
      summary: `The frame rate is not constant: ${(share * 100).toFixed(0)} % of the pictures stay longer or shorter than the usual ${milliseconds(usualSeconds)} ms. Convert it to a constant frame rate.`,
      severityReasoning: `${irregularCount} of ${count - 1} pictures stay longer or shorter than ${milliseconds(usualSeconds)} ms, from ${milliseconds(shortestSeconds)} to ${milliseconds(longestSeconds)} ms`,
      measured: rounded(share * 100, 1),
      limit: irregularShareMin * 100,
      unit: '% of the pictures',
    }),
  ];
}
