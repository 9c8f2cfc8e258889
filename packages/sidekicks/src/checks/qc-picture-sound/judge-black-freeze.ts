import type { Range } from '#evidence/media/decode/signal/series.ts';
import type { VideoRecord } from '#evidence/media/decode/video/observe-video.ts';
import { formatSeconds, toMeasurement, toMilliseconds } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding, uncertainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { edgeFields, isEdge, lengthOf, locationOf, placeOf, type RuleCode, rangesBeyondLimit } from './rules.ts';

/** In a slideshow or screen recording, stills of at least this length make up at least this share of the video. */
const slideSecondsMin = 2;
const slidesShareMin = 0.5;
/** A slideshow has at least this many stills, or one of them follows another within this time. */
const slidesMin = 3;
const transitionSecondsMax = 2;

type Timing = VideoRecord['timing'];

/** Reports black and frozen video that lasts longer than the profile allows. */
export function judgeBlackAndFreeze(
  { black, freeze, timing }: VideoRecord,
  { blackSecondsMax, freezeSecondsMax }: Profile['limits']['qcPictureSound'],
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  const areSlides = isSlideshow(freeze, timing);
  return [
    ...rangesBeyondLimit(black, blackSecondsMax).map((range) => judgeBlack(range, timing, blackSecondsMax, formatTime)),
    ...rangesBeyondLimit(freeze, freezeSecondsMax).map((range) =>
      judgeFreeze(range, { timing, areSlides, secondsMax: freezeSecondsMax, formatTime }),
    ),
  ];
}

/** A single long still is not a slideshow: a recorder that hangs leaves one. */
function isSlideshow(freeze: readonly Range[], timing: Timing): boolean {
  const slides = freeze.filter((range) => lengthOf(range) >= slideSecondsMin);
  const total = slides.reduce((sum, range) => sum + lengthOf(range), 0);
  if (total < slidesShareMin * lengthOf(streamRange(timing))) return false;
  const follows = ({ startSeconds }: Range, i: number) =>
    i > 0 && startSeconds - (slides[i - 1] as Range).endSeconds <= transitionSecondsMax;
  return slides.length >= slidesMin || slides.some(follows);
}

function judgeFreeze(
  range: Range,
  context: { timing: Timing; areSlides: boolean; secondsMax: number; formatTime: FormatTime },
): Finding<RuleCode> {
  const { timing, areSlides, secondsMax, formatTime } = context;
  const stream = streamRange(timing);
  const place = placeOf(range, stream);
  const { length, limit, from } = formatRange(range, secondsMax, formatTime);
  const fields = {
    subject: 'frozen picture',
    severityReasoning: `The difference between frames stays below −60.0 dB for ${length}; limit ${limit}`,
    ...measuredFields(range, secondsMax),
  };
  if (areSlides) {
    return uncertainFinding('QC-FREEZE', {
      ...fields,
      summary: `A still is shown for ${length} ${from} (limit ${limit}). The video is made of stills, such as slides; replace the section only if it should move.`,
      severityReasoning: `${fields.severityReasoning}. INFO, because stills of 2.00 s or more make up at least half of the video`,
      severityMax: 'INFO',
    });
  }
  if (place === 'throughout') {
    return uncertainFinding('QC-FREEZE', {
      ...fields,
      summary: `Video is a still throughout (${length}, limit ${limit}). Check that the correct file was delivered unless the still is intended.`,
      severityMax: 'MINOR',
    });
  }
  if (isEdge(range, stream)) {
    return uncertainFinding('QC-FREEZE', {
      ...fields,
      summary: `A still is shown for ${length} at the ${place}, ${from} (limit ${limit}). Trim it unless it is a title or end card.`,
      ...edgeFields(fields.severityReasoning, place),
    });
  }
  return uncertainFinding('QC-FREEZE', {
    ...fields,
    summary: `Video is frozen for ${length} ${from} (limit ${limit}). Replace the section unless the still is intended.`,
  });
}

function judgeBlack(range: Range, timing: Timing, secondsMax: number, formatTime: FormatTime): Finding<RuleCode> {
  const stream = streamRange(timing);
  const place = placeOf(range, stream);
  const { length, limit, from } = formatRange(range, secondsMax, formatTime);
  const fields = {
    subject: 'black picture',
    severityReasoning: `At least 98.0 % of the frame is at or below 10.0 % brightness for ${length}; limit ${limit}`,
    ...measuredFields(range, secondsMax),
  };
  if (place === 'throughout') {
    return certainFinding('QC-BLACK', {
      ...fields,
      summary: `Video is black throughout (${length}, limit ${limit}). Check that the correct file was delivered.`,
    });
  }
  if (place === 'start' || place === 'end') {
    // The start and the end of a video are often black on purpose.
    return uncertainFinding('QC-BLACK', {
      ...fields,
      summary: `Video is black for ${length} at the ${place}, ${from} (limit ${limit}). Trim the section unless the black is intended.`,
      ...(isEdge(range, stream) && edgeFields(fields.severityReasoning, place)),
    });
  }
  return certainFinding('QC-BLACK', {
    ...fields,
    summary: `Video is black for ${length} ${from} (limit ${limit}). Shorten or replace the section.`,
  });
}

function streamRange({ firstSeconds, endSeconds }: Timing): Range {
  return { startSeconds: firstSeconds, endSeconds };
}

function formatRange(range: Range, secondsMax: number, formatTime: FormatTime) {
  return {
    length: formatSeconds(lengthOf(range), secondsMax),
    limit: formatSeconds(secondsMax),
    from: `from ${formatTime(range.startSeconds)} to ${formatTime(range.endSeconds)}`,
  };
}

function measuredFields(range: Range, limit: number) {
  return {
    measured: toMeasurement(lengthOf(range)),
    limit,
    unit: 's',
    locations: [locationOf(range)],
    stillsAtMs: [toMilliseconds((range.startSeconds + range.endSeconds) / 2)],
  };
}
