import type { Location } from '@assay/contract/schemas/issue.ts';
import type { Loudness } from '#evidence/media/decode/audio/observe-loudness.ts';
import { momentarySeconds, readingSeconds, shortTermSeconds } from '#evidence/media/decode/audio/observe-loudness.ts';
import { describeChannel } from '#sidekick/channel-name.ts';
import { formatLevel, formatSeconds, formatSignedLevel, toMeasurement } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding, notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import type { RuleCode } from './rules.ts';

type Limits = Profile['limits']['loudness'];
type LoudnessInput = {
  loudness: Loudness;
  limits: Limits;
  layout: string | null;
  channels: number;
  /** If the file has several audio programmes, the one that was measured. */
  programme: { name: string; subject: string } | null;
  /** Whether this is the main programme; the subjects of its findings do not name it. */
  isMain: boolean;
  formatTime: FormatTime;
};

/** Sums of decimals have a floating-point error of less than this. */
const roundingError = 1e-6;
/** Lossy codecs pad the end of the audio: an advertisement of 30 s has 30.02 to 30.07 s of audio. */
const paddingSecondsMax = 0.1;
const absoluteGateLufs = -70;
/** A programme whose peaks stay below this is silent. */
const silentPeakDb = -60;

export function judgeLoudness(measured: LoudnessInput): Finding<RuleCode>[] {
  const { loudness, programme, isMain } = measured;
  const findings =
    loudness.integratedLufs === null
      ? [...judgeUnmeasured(measured), ...judgePeak(measured)]
      : [...judgeIntegrated(measured, loudness.integratedLufs), ...judgePeak(measured), ...judgeShortTerm(measured)];
  if (isMain || !programme) return findings;
  return findings.map((finding) => ({ ...finding, subject: `${finding.subject}: ${programme.subject}` }));
}

/** Names the programme in a sentence: ` of audio track 2 (fra)`, or nothing if there is only one. */
function ofProgramme({ programme }: LoudnessInput): string {
  return programme ? ` of ${programme.name}` : '';
}

function judgeIntegrated(input: LoudnessInput, lufs: number): Finding<RuleCode>[] {
  const { loudness, limits, formatTime } = input;
  const { target, meterToleranceLu, scale } = limits;
  if (target === null) return judgeWithoutTarget(input, lufs);
  const deviation = lufs - target;
  const isLoud = deviation > 0;
  const toleranceLu = isLoud ? limits.toleranceAboveLu : limits.toleranceBelowLu;
  const allowedLu = toleranceLu + meterToleranceLu;
  const limit = toMeasurement(isLoud ? target + allowedLu : target - allowedLu);
  if (isLoud ? toMeasurement(lufs) <= limit : toMeasurement(lufs) >= limit) return [];
  const loudest = isLoud ? loudness.maxShortTerm : null;
  const where = describeLoudest(loudest, formatTime);
  const measured = `${formatLevel(lufs, limit)} ${scale}`;
  const allowed = `${formatLevel(target)} ±${formatLevel(allowedLu)} LU`;
  const meter =
    meterToleranceLu > 0
      ? ` (±${formatLevel(toleranceLu)} LU, plus ±${formatLevel(meterToleranceLu)} LU meter tolerance)`
      : '';
  return [
    certainFinding(isLoud ? 'LOUD-INTEGRATED-HIGH' : 'LOUD-INTEGRATED-LOW', {
      subject: isLoud ? 'too loud' : 'too quiet',
      summary: `Integrated loudness${ofProgramme(input)} is ${measured} (allowed: ${allowed})${where}. Apply a gain of ${formatSignedLevel(-deviation)} dB to reach the target.`,
      severityReasoning: `Integrated loudness${ofProgramme(input)} ${measured}; allowed ${allowed}${meter}`,
      measured: toMeasurement(lufs),
      limit,
      unit: scale,
      locations: loudest ? [windowBefore(loudest.seconds, shortTermSeconds)] : [],
    }),
  ];
}

/** Without a target, only loudness outside of a wide range is reported. No tolerance applies to it. */
function judgeWithoutTarget(input: LoudnessInput, lufs: number): Finding<RuleCode>[] {
  const { loudness, limits, formatTime } = input;
  if (!limits.rangeWithoutTarget) return [];
  const { min, max } = limits.rangeWithoutTarget;
  const isLoud = toMeasurement(lufs) > max;
  if (!isLoud && toMeasurement(lufs) >= min) return [];
  const limit = isLoud ? max : min;
  const loudest = isLoud ? loudness.maxShortTerm : null;
  const measured = `${formatLevel(lufs, limit)} ${limits.scale}`;
  const range = `${formatLevel(min)} to ${formatLevel(max)} ${limits.scale}`;
  return [
    certainFinding(isLoud ? 'LOUD-INTEGRATED-HIGH' : 'LOUD-INTEGRATED-LOW', {
      subject: isLoud ? 'too loud' : 'too quiet',
      summary: `Integrated loudness${ofProgramme(input)} is ${measured}, outside ${range}${describeLoudest(loudest, formatTime)}. The delivery profile sets no target; check that the level is intended.`,
      severityReasoning: `Integrated loudness${ofProgramme(input)} ${measured}; no target, reported outside ${range}`,
      measured: toMeasurement(lufs),
      limit,
      unit: limits.scale,
      locations: loudest ? [windowBefore(loudest.seconds, shortTermSeconds)] : [],
    }),
  ];
}

function describeLoudest(loudest: Loudness['maxShortTerm'], formatTime: FormatTime): string {
  return loudest ? `, loudest around ${formatTime(loudest.seconds - shortTermSeconds / 2)}` : '';
}

function judgePeak(input: LoudnessInput): Finding<RuleCode>[] {
  const { loudness, limits, layout, channels, formatTime } = input;
  const { truePeakDb, truePeakChannel, truePeakAtSeconds } = loudness;
  const { truePeakMaxDb, truePeakMeterToleranceDb } = limits;
  const limit = toMeasurement(truePeakMaxDb + truePeakMeterToleranceDb);
  if (truePeakDb === null || toMeasurement(truePeakDb) <= limit) return [];
  const measured = `${formatSignedLevel(truePeakDb, limit)} dBTP`;
  const allowed = `${formatLevel(truePeakMaxDb)} dBTP, +${formatLevel(truePeakMeterToleranceDb)} dB meter tolerance`;
  const where = `in ${describeChannel(truePeakChannel ?? 0, channels, layout)} at ${formatTime((truePeakAtSeconds ?? 0) - readingSeconds)}`;
  return [
    certainFinding('LOUD-TRUE-PEAK', {
      subject: 'true peak',
      summary: `True peak${ofProgramme(input)} is ${measured} ${where} (limit ${allowed}). Limit true peaks to ${formatLevel(truePeakMaxDb)} dBTP.`,
      severityReasoning: `Maximum true peak${ofProgramme(input)} ${measured}; limit ${allowed}`,
      measured: toMeasurement(truePeakDb),
      limit,
      unit: 'dBTP',
      locations: truePeakAtSeconds === null ? [] : [windowBefore(truePeakAtSeconds, readingSeconds)],
    }),
  ];
}

function judgeShortTerm(input: LoudnessInput): Finding<RuleCode>[] {
  const { loudness, limits, formatTime } = input;
  const { shortForm, scale, meterToleranceLu } = limits;
  const loudest = loudness.maxShortTerm;
  if (!shortForm || !loudest || loudness.durationSeconds > shortForm.secondsMax + paddingSecondsMax) return [];
  const limit = toMeasurement(shortForm.shortTermMaxLufs + meterToleranceLu);
  if (toMeasurement(loudest.lufs) <= limit) return [];
  const measured = `${formatLevel(loudest.lufs, limit)} ${scale}`;
  const allowed = `${formatLevel(shortForm.shortTermMaxLufs)} ${scale}`;
  const meter = meterToleranceLu > 0 ? `, +${formatLevel(meterToleranceLu)} LU meter tolerance` : '';
  const content = `up to ${shortForm.secondsMax} s`;
  const duration = `${formatSeconds(loudness.durationSeconds)}, ${formatSeconds(paddingSecondsMax)} of codec padding allowed`;
  return [
    certainFinding('LOUD-SHORT-TERM', {
      subject: 'short-term loudness',
      summary: `Short-term loudness${ofProgramme(input)} reaches ${measured} from ${formatTime(loudest.seconds - shortTermSeconds)} to ${formatTime(loudest.seconds)}. Short-form content (${content}) must stay below ${allowed} short-term.`,
      severityReasoning: `Maximum short-term loudness${ofProgramme(input)} ${measured}; limit ${allowed}${meter}, for content ${content} (this audio: ${duration})`,
      measured: toMeasurement(loudest.lufs),
      limit,
      unit: scale,
      locations: [windowBefore(loudest.seconds, shortTermSeconds)],
    }),
  ];
}

function judgeUnmeasured({ loudness, programme, isMain }: LoudnessInput): Finding<RuleCode>[] {
  const { durationSeconds, truePeakDb } = loudness;
  // Silence is neither too loud nor too quiet, and masters have spare tracks. A silent main programme is a fault.
  if (!isMain && (truePeakDb === null || truePeakDb < silentPeakDb)) return [];
  const duration = formatSeconds(durationSeconds, momentarySeconds);
  const label = programme?.name ?? 'audio';
  const name = `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  return [
    notVerifiedFinding(
      'LOUD-NOT-MEASURED',
      { kind: 'audio_stream', label, reason: 'not_measurable', share: 1 },
      {
        subject: 'not measured',
        summary:
          durationSeconds < momentarySeconds - roundingError
            ? `${name} lasts ${duration}; measuring loudness takes at least ${formatSeconds(momentarySeconds)} of audio.`
            : `${name} is silent or stays below ${formatLevel(absoluteGateLufs)} LUFS, so it has no measurable loudness. Check that the correct track was delivered.`,
        severityReasoning: `No block of ${formatSeconds(momentarySeconds)} is above the absolute gate of ${formatLevel(absoluteGateLufs)} LUFS in ${duration} of audio`,
      },
    ),
  ];
}

/** The location of a loudness reading: the time window that ends at the time of the reading. */
function windowBefore(endSeconds: number, lengthSeconds: number): Location {
  const endMs = Math.round(endSeconds * 1000);
  return { kind: 'timeRange', startMs: Math.max(0, endMs - Math.round(lengthSeconds * 1000)), endMs };
}
