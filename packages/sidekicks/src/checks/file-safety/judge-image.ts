import type { Evidence } from '../../evidence/evidence.ts';
import { certain, uncertain } from '../../rule-table.ts';
import type { Declared, Finding } from '../../sidekick.ts';
import type { RuleCode } from './rules.ts';

/** 20,000 × 20,000: twice what the largest cameras give. As RGBA it is 1.6 GB. */
const pixelsMax = 400_000_000;
/** Over all frames or pages. */
const framesPixelsMax = 50 * pixelsMax;

/** Would decoding it break what decodes it? */
export function judgeImage(
  { imageHeader, recognition }: Pick<Evidence, 'imageHeader' | 'recognition'>,
  { media }: Declared,
): Finding<RuleCode>[] {
  if (media.category !== 'image' || !media.recognisedAs.includes(recognition)) return [];
  const { format = media.type, width = 0, height = 0, frames = 1 } = imageHeader ?? {};
  const pixels = width * height;
  if (pixels <= 0) {
    return [
      uncertain('SAFE-NOT-VERIFIED', {
        subject: 'image: size',
        summary: 'How large the picture is cannot be read from the file.',
        severityReasoning: `The header of the ${format} gives ${width} × ${height}.`,
      }),
    ];
  }
  const isOneTooLarge = pixels > pixelsMax;
  if (!isOneTooLarge && pixels * frames <= framesPixelsMax) return [];
  return [
    certain('SAFE-IMAGE-BOMB', {
      subject: 'picture size',
      summary: `The picture claims ${width} × ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}, more than can be shown safely.`,
      severityReasoning: `${pixels} pixels in each of ${frames} by the header of the ${format}; at most ${pixelsMax}, and ${framesPixelsMax} over all frames.`,
      measured: isOneTooLarge ? pixels : pixels * frames,
      limit: isOneTooLarge ? pixelsMax : framesPixelsMax,
      unit: 'px',
    }),
  ];
}
