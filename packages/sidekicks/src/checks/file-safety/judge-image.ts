import type { Evidence } from '#evidence/evidence.ts';
import { formatCount, formatInteger } from '#sidekick/format-values.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Declared, Finding } from '#sidekick/sidekick.ts';
import type { RuleCode } from './rules.ts';
import { unreadFinding } from './unread.ts';

/** 20,000 × 20,000 pixels: twice the resolution of the largest cameras, and 1.6 GB as RGBA. */
const pixelsMax = 400_000_000;
type ImageSize = { format: string; width: number; height: number; frames: number };

/** Limit for all frames or pages of a file together. */
const framesPixelsMax = 50 * pixelsMax;

/** Reports an image that is incomplete, or that would exhaust memory when decoded. */
export function judgeImage(
  { imageHeader, foreignContent, recognition }: Pick<Evidence, 'imageHeader' | 'foreignContent' | 'recognition'>,
  { media }: Declared,
): Finding<RuleCode>[] {
  if (media.category !== 'image' || !media.recognisedAs.includes(recognition)) return [];
  const { format = media.type, width = 0, height = 0, frames = 1, hit = [] } = imageHeader ?? {};
  const pixels = width * height;
  if (pixels <= 0) {
    if (hit.length > 0) return []; // reported with the limits
    return [
      unreadFinding({
        subject: 'image: size',
        kind: 'image',
        label: 'image',
        reason: 'damaged',
        summary: 'The size of the image cannot be read from the file. Export the image again.',
        severityReasoning: `The ${format} header gives ${width} × ${height} pixels`,
      }),
    ];
  }
  const incomplete = foreignContent.isImageIncomplete
    ? [
        certainFinding('SAFE-IMAGE-INCOMPLETE', {
          subject: 'image: end',
          summary: 'The image is incomplete: the file ends before the image does. Export or upload it again.',
          severityReasoning: `The ${format} data has no end`,
        }),
      ]
    : [];
  return [...incomplete, ...judgeSize({ format, width, height, frames })];
}

function judgeSize({ format, width, height, frames }: ImageSize): Finding<RuleCode>[] {
  const pixels = width * height;
  const isOneTooLarge = pixels > pixelsMax;
  if (!isOneTooLarge && pixels * frames <= framesPixelsMax) return [];
  const limit = isOneTooLarge ? pixelsMax : framesPixelsMax;
  return [
    certainFinding('SAFE-IMAGE-BOMB', {
      subject: 'picture size',
      summary: `The image has ${formatInteger(width)} × ${formatInteger(height)} pixels${frames > 1 ? ` in ${formatInteger(frames)} frames` : ''} (limit ${formatInteger(limit)} pixels${isOneTooLarge ? '' : ' over all frames'}). Reduce its size.`,
      severityReasoning: `${formatInteger(pixels)} pixels a frame and ${formatCount(frames, 'frame')} according to the ${format} header; limit ${formatInteger(pixelsMax)}, and ${formatInteger(framesPixelsMax)} over all frames`,
      measured: isOneTooLarge ? pixels : pixels * frames,
      limit,
      unit: 'px',
    }),
  ];
}
