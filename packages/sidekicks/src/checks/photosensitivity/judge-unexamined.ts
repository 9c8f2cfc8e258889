import { mediaBounds } from '#evidence/media/bounds.ts';
import type { Flashes } from '#evidence/media/decode/flashes/flashes.ts';
import type { Animation } from '#evidence/media/probe/animation.ts';
import { formatPercent } from '#sidekick/format-values.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { RuleCode } from './rules.ts';

type Seen = { flashes: Flashes | null; animation: Animation | null };

/** What was not checked for flashes and patterns: frames that were lost or too many, or an animation that cannot be read. */
export function judgeUnexamined({ flashes, animation }: Seen): Finding<RuleCode>[] {
  return [
    ...(flashes && !flashes.isWhole ? [undecodedFinding(flashes)] : []),
    ...(flashes?.isTooFast ? [tooFastFinding()] : []),
    ...(!flashes && animation
      ? [animation.format === 'motion photo' ? videoOfPhotoFinding() : unreadFinding(animation)]
      : []),
  ];
}

function undecodedFinding({ undecodedShare, frameCount }: Flashes): Finding<RuleCode> {
  const frames = undecodedShare === null ? 'Some frames' : `${formatPercent(undecodedShare)} of the frames`;
  return notVerifiedFinding(
    'PSE-NOT-VERIFIED',
    { kind: 'frames', label: 'frames that cannot be decoded', reason: 'damaged', share: undecodedShare },
    {
      subject: 'pictures that could not be decoded',
      summary: `${frames} could not be decoded and were not checked for flashes. Deliver an undamaged file, or watch it before it is published.`,
      severityReasoning: `${frameCount} frames were decoded; ${undecodedShare === null ? 'the decoder reported errors' : `${formatPercent(undecodedShare)} are missing`}`,
    },
  );
}

function tooFastFinding(): Finding<RuleCode> {
  const { max, kind, label } = mediaBounds.framesOfSecond;
  return notVerifiedFinding(
    'PSE-NOT-VERIFIED',
    { kind, label, reason: 'limit_reached', share: null },
    {
      subject: 'too many frames within a second',
      summary: `A second of the video has more than ${max} frames, and not all of them were taken into account in the search for flashes. Deliver it with at most 120 frames per second, or watch it before it is published.`,
      severityReasoning: `A count of flashes takes at most ${max} frames of a second into account`,
    },
  );
}

function unreadFinding({ format }: Animation): Finding<RuleCode> {
  return notVerifiedFinding(
    'PSE-NOT-VERIFIED',
    { kind: 'image', label: `animated ${format} image`, reason: 'unsupported', share: 1 },
    {
      subject: 'animation that could not be decoded',
      summary: `The animation of the ${format} image could not be decoded, so it was not checked for flashes. Deliver it as GIF or MP4, or watch it before it is published.`,
      severityReasoning: 'The image has several frames, and the decoder could not read them',
    },
  );
}

function videoOfPhotoFinding(): Finding<RuleCode> {
  return notVerifiedFinding(
    'PSE-NOT-VERIFIED',
    { kind: 'embedded_file', label: 'video of the motion photo', reason: 'unsupported', share: 1 },
    {
      subject: 'video of a motion photo',
      summary:
        'The photo contains a video, which was not checked for flashes. Deliver the photo without its video, or watch the video before it is published.',
      severityReasoning: 'A video is stored behind the image',
    },
  );
}
