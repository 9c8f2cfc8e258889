import type { Range } from '#evidence/media/decode/signal/series.ts';
import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import { formatSeconds, toMeasurement, toMilliseconds } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certain, uncertain } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { asEdge, isEdge, lengthOf, locationOf, placeOf, type RuleCode, tooLong } from './rules.ts';

/** In a slideshow or a screen recording, stills of this length make up at least this share of the video … */
const slideSecondsMin = 2;
const slidesShareMin = 0.5;
/** … and there are at least this many, or one follows another within this time. */
const slidesMin = 3;
const transitionSecondsMax = 2;

type Timing = VideoRecord['timing'];

/** Black and frozen video that lasts longer than the profile allows. */
export function judgeBlackAndFreeze(
  { black, freeze, timing }: VideoRecord,
  { blackSecondsMax, freezeSecondsMax }: Profile['limits']['qcPictureSound'],
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  const areSlides = isSlideshow(freeze, timing);
  return [
    ...tooLong(black, blackSecondsMax).map((range) => judgeBlack(range, timing, blackSecondsMax, formatTime)),
    ...tooLong(freeze, freezeSecondsMax).map((range) =>
      judgeFreeze(range, { timing, areSlides, secondsMax: freezeSecondsMax, formatTime }),
    ),
  ];
}

/** A single long still is not a slideshow: a recorder that hangs leaves one. */
function isSlideshow(freeze: readonly Range[], timing: Timing): boolean {
  const slides = freeze.filter((range) => lengthOf(range) >= slideSecondsMin);
  const total = slides.reduce((sum, range) => sum + lengthOf(range), 0);
  if (total < slidesShareMin * lengthOf(streamOf(timing))) return false;
  const follows = ({ startSeconds }: Range, i: number) =>
    i > 0 && startSeconds - (slides[i - 1] as Range).endSeconds <= transitionSecondsMax;
  return slides.length >= slidesMin || slides.some(follows);
}

function judgeFreeze(
  range: Range,
  context: { timing: Timing; areSlides: boolean; secondsMax: number; formatTime: FormatTime },
): Finding<RuleCode> {
  const { timing, areSlides, secondsMax, formatTime } = context;
  const stream = streamOf(timing);
  const place = placeOf(range, stream);
  const { length, limit, from } = describe(range, secondsMax, formatTime);
  const fields = {
    subject: 'frozen picture',
    severityReasoning: `The difference between frames stays below −60.0 dB for ${length}; limit ${limit}`,
    ...measure(range, secondsMax),
  };
  if (areSlides) {
    return uncertain('QC-FREEZE', {
      ...fields,
      summary: `A still is shown for ${length} ${from} (limit ${limit}). The video is made of stills, such as slides; replace the section only if it should move.`,
      severityReasoning: `${fields.severityReasoning}. INFO, because stills of 2.00 s or more make up at least half of the video`,
      severityMax: 'INFO',
    });
  }
  if (place === 'throughout') {
    return uncertain('QC-FREEZE', {
      ...fields,
      summary: `Video is a still throughout (${length}, limit ${limit}). Check that the correct file was delivered unless the still is intended.`,
      severityMax: 'MINOR',
    });
  }
  if (isEdge(range, stream)) {
    return uncertain('QC-FREEZE', {
      ...fields,
      summary: `A still is shown for ${length} at the ${place}, ${from} (limit ${limit}). Trim it unless it is a title or end card.`,
      ...asEdge(fields.severityReasoning, place),
    });
  }
  return uncertain('QC-FREEZE', {
    ...fields,
    summary: `Video is frozen for ${length} ${from} (limit ${limit}). Replace the section unless the still is intended.`,
  });
}

function judgeBlack(range: Range, timing: Timing, secondsMax: number, formatTime: FormatTime): Finding<RuleCode> {
  const stream = streamOf(timing);
  const place = placeOf(range, stream);
  const { length, limit, from } = describe(range, secondsMax, formatTime);
  const fields = {
    subject: 'black picture',
    severityReasoning: `At least 98.0 % of the frame is at or below 10.0 % brightness for ${length}; limit ${limit}`,
    ...measure(range, secondsMax),
  };
  if (place === 'throughout') {
    return certain('QC-BLACK', {
      ...fields,
      summary: `Video is black throughout (${length}, limit ${limit}). Check that the correct file was delivered.`,
    });
  }
  if (place === 'start' || place === 'end') {
    // The start and the end of a video are often black on purpose.
    return uncertain('QC-BLACK', {
      ...fields,
      summary: `Video is black for ${length} at the ${place}, ${from} (limit ${limit}). Trim the section unless the black is intended.`,
      ...(isEdge(range, stream) && asEdge(fields.severityReasoning, place)),
    });
  }
  return certain('QC-BLACK', {
    ...fields,
    summary: `Video is black for ${length} ${from} (limit ${limit}). Shorten or replace the section.`,
  });
}

function streamOf({ firstSeconds, endSeconds }: Timing): Range {
  return { startSeconds: firstSeconds, endSeconds };
}

function describe(range: Range, secondsMax: number, formatTime: FormatTime) {
  return {
    length: formatSeconds(lengthOf(range), secondsMax),
    limit: formatSeconds(secondsMax),
    from: `from ${formatTime(range.startSeconds)} to ${formatTime(range.endSeconds)}`,
  };
}

function measure(range: Range, limit: number) {
  return {
    measured: toMeasurement(lengthOf(range)),
    limit,
    unit: 's',
    locations: [locationOf(range)],
    stillsAtMs: [toMilliseconds((range.startSeconds + range.endSeconds) / 2)],
  };
}
