import type { Range } from '#evidence/media/decode/signal/series.ts';
import { formatInteger, formatSeconds } from '#sidekick/format-values.ts';
import { type Expectation, expectOneOf, expectWithin } from './expectation.ts';
import type { Facts } from './facts.ts';

/** Containers round times to milliseconds or frames. */
const roundingSeconds = 0.002;
/** Lossy codecs spread the first sound into the silence before it. */
const codecSmearSeconds = 0.05;

export const formatBitRate = (value: number) => `${formatInteger(Math.round(value))} bit/s`;

/** Expectations for the file as a whole. */
export const fileExpectations: readonly Expectation[] = [
  expectOneOf({
    ruleCode: 'SPEC-CONTAINER',
    member: 'containers',
    name: 'Container',
    remedy: 'Export the file in an accepted container.',
    read: ({ container }) => [container],
  }),
  expectOneOf({
    ruleCode: 'SPEC-MXF-PATTERN',
    member: 'mxfOperationalPatterns',
    name: 'MXF operational pattern',
    remedy: 'Wrap the file again with an accepted pattern.',
    read: (facts) => (facts.container === 'mxf' ? [operationalPatternOf(facts)] : []),
  }),
  expectWithin({
    ruleCode: 'SPEC-BIT-RATE',
    member: 'bitsPerSecond',
    name: 'Bit rate of the file',
    remedy: 'Export with another bit rate.',
    read: ({ probe }) => [probe.bitsPerSecond],
    unit: 'bit/s',
    format: formatBitRate,
  }),
  expectWithin({
    ruleCode: 'SPEC-DURATION',
    member: 'durationSeconds',
    name: 'Duration',
    remedy: 'Deliver another cut.',
    read: (facts) => [durationOf(facts)],
    tolerance: roundingSeconds,
    unit: 's',
    format: formatSeconds,
  }),
  expectWithin({
    ruleCode: 'SPEC-DURATION-EXACT',
    member: 'exactDuration',
    name: 'Exact duration',
    remedy: 'Trim or extend the programme.',
    read: (facts) => [durationOf(facts)],
    bounds: ({ exactDuration }) => {
      const { seconds, toleranceSeconds } = exactDuration ?? { seconds: 0, toleranceSeconds: 0 };
      return { min: Math.max(0, seconds - toleranceSeconds), max: seconds + toleranceSeconds };
    },
    tolerance: roundingSeconds,
    unit: 's',
    format: formatSeconds,
  }),
  expectOneOf({
    ruleCode: 'SPEC-START-TIMECODE',
    member: 'startTimecodes',
    name: 'Start timecode',
    remedy: 'Set the timecode of the first frame.',
    needs: ['mediaInfo'],
    read: (facts) => [timecodeOf(facts)],
  }),
  expectOneOf({
    ruleCode: 'SPEC-TIMECODE-COUNTING',
    member: 'timecodeCounting',
    name: 'Timecode counting',
    remedy: 'Export with the other kind of timecode.',
    needs: ['mediaInfo'],
    accepted: ({ timecodeCounting }) => [timecodeCounting ?? ''],
    read: (facts) => {
      const timecode = timecodeOf(facts);
      return [timecode && (timecode.includes(';') ? 'drop-frame' : 'non-drop-frame')];
    },
  }),
  expectWithin({
    ruleCode: 'SPEC-LEAD-IN-BLACK',
    member: 'leadInBlackSeconds',
    stream: 'video',
    name: 'Black before the programme',
    remedy: 'Correct the start of the file.',
    needs: ['video'],
    read: ({ evidence: { video } }) => [video ? rangeLengthAt(video.timing.firstSeconds, video.black) : null],
    tolerance: roundingSeconds,
    unit: 's',
    format: formatSeconds,
  }),
  expectWithin({
    ruleCode: 'SPEC-LEAD-IN-SILENCE',
    member: 'leadInSilenceSeconds',
    stream: 'audio',
    name: 'Silence before the programme',
    remedy: 'Correct the start of the file.',
    needs: ['audio'],
    read: ({ evidence: { audio } }) => [audio ? rangeLengthAt(0, audio.silence) : null],
    tolerance: codecSmearSeconds,
    unit: 's',
    format: formatSeconds,
  }),
];

/** The duration of the video, if there is one: an audio codec may add some milliseconds of padding. */
function durationOf({ video, probe }: Facts): number | null {
  return video?.durationSeconds ?? probe.durationSeconds;
}

/** The start timecode: a tag of the container or of one of its streams, otherwise that of MediaInfo. */
function timecodeOf({ probe, evidence }: Facts): string | null {
  const tags = [probe, ...probe.streams].flatMap((owner) => owner.tags);
  const tag = tags.find(({ name }) => name.toLowerCase() === 'timecode');
  return tag?.value ?? evidence.mediaInfo?.startTimecode ?? null;
}

/** Label bytes 13 and 14 are the item and package complexity (SMPTE ST 377-1). OP-Atom has its own label (ST 390). */
function operationalPatternOf({ probe }: Facts): string | null {
  const label = probe.tags.find(({ name }) => name === 'operational_pattern_ul')?.value ?? '';
  const bytes = label.replaceAll('.', '').slice(24, 28);
  if (bytes.startsWith('10')) return 'OPAtom';
  const [item, pack] = [Number(bytes.slice(0, 2)), Number(bytes.slice(2, 4))];
  return item >= 1 && item <= 3 && pack >= 1 && pack <= 3 ? `OP${item}${'abc'[pack - 1]}` : null;
}

/** The length of the first range that starts by this time; 0 if there is none. */
function rangeLengthAt(seconds: number, ranges: readonly Range[]): number {
  const first = ranges.find(({ startSeconds }) => startSeconds <= seconds + roundingSeconds);
  return first ? first.endSeconds - first.startSeconds : 0;
}
