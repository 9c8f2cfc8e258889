import type { Location } from '@assay/contract/issue.ts';
import type { Loudness } from '../../evidence/pass/sound/observe-loudness.ts';
import { momentarySeconds, readingSeconds, shortTermSeconds } from '../../evidence/pass/sound/observe-loudness.ts';
import type { Profile } from '../../profile.ts';
import type { Finding } from '../../sidekick.ts';
import { clock } from '../../words.ts';
import type { RuleCode } from './rules.ts';
import { channelName, db } from './words.ts';

type Limits = Profile['loudness'];
type Heard = { loudness: Loudness; limits: Limits; layout: string | null; channels: number };

/** What a person would not call more than nothing, so that a sum of decimals does not decide. */
const hair = 1e-6;

export function judgeLoudness(heard: Heard): Finding<RuleCode>[] {
  const { loudness } = heard;
  if (loudness.integratedLufs === null) return [notMeasured(loudness), ...judgePeak(heard)];
  return [...judgeIntegrated(heard, loudness.integratedLufs), ...judgePeak(heard), ...judgeShortTerm(heard)];
}

function judgeIntegrated({ loudness, limits }: Heard, measured: number): Finding<RuleCode>[] {
  const { target, toleranceLu, meterToleranceLu, scale, standard } = limits;
  const apart = measured - target;
  if (Math.abs(apart) <= toleranceLu + meterToleranceLu + hair) return [];
  const isLoud = apart > 0;
  const limit = isLoud ? target + toleranceLu : target - toleranceLu;
  const loudest = loudness.maxShortTerm;
  const where = isLoud && loudest ? `, loudest around ${clock(loudest.seconds - shortTermSeconds / 2)}` : '';
  const meter = meterToleranceLu > 0 ? `, and ±${meterToleranceLu} LU between meters` : '';
  return [
    {
      ruleCode: isLoud ? 'LOUD-INTEGRATED-HIGH' : 'LOUD-INTEGRATED-LOW',
      subject: isLoud ? 'too loud' : 'too quiet',
      summary: `The programme is ${db(Math.abs(apart))} LU too ${isLoud ? 'loud' : 'quiet'}: ${db(measured)} ${scale} instead of ${db(target)}${where}. A gain of ${signed(-apart)} dB puts it on target.`,
      severityReasoning: `Integrated loudness ${db(measured)} ${scale}; ${standard.name}, ${standard.clause}, asks for ${db(target)} ±${toleranceLu} LU${meter}`,
      confidence: 1,
      isCertain: true,
      measured: rounded(measured),
      limit,
      unit: scale,
      standard,
      locations: isLoud && loudest ? [window(loudest.seconds, shortTermSeconds)] : [],
    },
  ];
}

function judgePeak({ loudness, limits, layout, channels }: Heard): Finding<RuleCode>[] {
  const { truePeakDb, truePeakChannel, truePeakAtSeconds } = loudness;
  const { truePeakMaxDb, truePeakMeterToleranceDb, standard } = limits;
  if (truePeakDb === null || truePeakDb <= truePeakMaxDb + truePeakMeterToleranceDb + hair) return [];
  const channel = channelName(truePeakChannel ?? 0, channels, layout);
  return [
    {
      ruleCode: 'LOUD-TRUE-PEAK',
      subject: 'true peak',
      summary: `The highest peak, ${db(truePeakDb)} dBTP on ${channel} at ${clock((truePeakAtSeconds ?? 0) - readingSeconds)}, is ${db(truePeakDb - truePeakMaxDb)} dB above the limit of ${db(truePeakMaxDb)} dBTP. Limit the peaks with a true-peak limiter.`,
      severityReasoning: `Maximum true peak ${db(truePeakDb)} dBTP; ${standard.name}, ${standard.clause}, allows ${db(truePeakMaxDb)} dBTP, and meters may read ${truePeakMeterToleranceDb} dB too high`,
      confidence: 1,
      isCertain: true,
      measured: rounded(truePeakDb),
      limit: truePeakMaxDb,
      unit: 'dBTP',
      standard,
      locations: truePeakAtSeconds === null ? [] : [window(truePeakAtSeconds, readingSeconds)],
    },
  ];
}

function judgeShortTerm({ loudness, limits }: Heard): Finding<RuleCode>[] {
  const { shortForm, scale, meterToleranceLu } = limits;
  const loudest = loudness.maxShortTerm;
  if (!shortForm || !loudest || loudness.durationSeconds > shortForm.secondsMax) return [];
  if (loudest.lufs <= shortForm.shortTermMaxLufs + meterToleranceLu + hair) return [];
  const location = window(loudest.seconds, shortTermSeconds);
  return [
    {
      ruleCode: 'LOUD-SHORT-TERM',
      subject: 'short-term loudness',
      summary: `The three seconds from ${clock(loudest.seconds - shortTermSeconds)} reach ${db(loudest.lufs)} ${scale}; something of ${db(loudness.durationSeconds)} s should stay below ${db(shortForm.shortTermMaxLufs)}.`,
      severityReasoning: `Maximum short-term loudness ${db(loudest.lufs)} ${scale}; limit ${db(shortForm.shortTermMaxLufs)} ${scale} for what is shorter than ${shortForm.secondsMax} s`,
      confidence: 1,
      isCertain: true,
      measured: rounded(loudest.lufs),
      limit: shortForm.shortTermMaxLufs,
      unit: scale,
      locations: [location],
    },
  ];
}

function notMeasured({ durationSeconds }: Loudness): Finding<RuleCode> {
  const isShort = durationSeconds < momentarySeconds - hair;
  return {
    ruleCode: 'LOUD-NOT-MEASURED',
    subject: 'not measured',
    summary: isShort
      ? `The sound lasts ${durationSeconds.toFixed(1)} s, which is too short for a loudness.`
      : 'The sound is silent, or so quiet that it has no loudness. Check that the right track was delivered.',
    severityReasoning: `No block of ${momentarySeconds} s is above the absolute gate of −70 LUFS in ${durationSeconds.toFixed(1)} s`,
    confidence: 1,
    isCertain: true,
    locations: [],
  };
}

/** The time that a reading at this moment looks back on. */
function window(endSeconds: number, lengthSeconds: number): Location {
  const endMs = Math.round(endSeconds * 1000);
  return { kind: 'timeRange', startMs: Math.max(0, endMs - Math.round(lengthSeconds * 1000)), endMs };
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${db(value)}`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
