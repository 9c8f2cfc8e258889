import type { Decoding } from '#evidence/media/decode/decoding.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { formatCount, formatSeconds, toMeasurement } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import { locationOf, type RuleCode } from './rules.ts';

const messageCharactersMax = 120;

type Limits = Profile['limits']['qcPictureSound'];

/** Reports a file that cannot be played in full, or whose video and audio end at different times. */
export function judgeFile(
  decoding: Decoding,
  probe: Probe | null,
  limits: Limits,
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  return [...judgeDecoding(decoding, probe, formatTime), ...judgeEnds(decoding, limits, formatTime)];
}

function judgeDecoding(decoding: Decoding, probe: Probe | null, formatTime: FormatTime): Finding<RuleCode>[] {
  const { isCutShort, errorCount, messages } = decoding;
  const errors = formatCount(errorCount, 'decoding error');
  const message = messages[0] ? `: ${messages[0].slice(0, messageCharactersMax)}` : '';
  if (isCutShort) {
    const endSeconds = Math.max(decoding.videoEndSeconds ?? 0, decoding.audioEndSeconds ?? 0);
    const declaredSeconds = probe?.durationSeconds ?? null;
    const isShorter = declaredSeconds !== null && declaredSeconds > endSeconds;
    return [
      certainFinding('QC-TRUNCATED', {
        subject: 'cut short',
        summary: `The file is incomplete: it plays to ${formatTime(endSeconds)}${isShorter ? ` of ${formatTime(declaredSeconds)}` : ''}. Export the file again.`,
        severityReasoning: `Decoding ended at ${formatSeconds(endSeconds, declaredSeconds ?? undefined)}${declaredSeconds === null ? '' : ` of ${formatSeconds(declaredSeconds)}`} with ${errors}${message}`,
        measured: toMeasurement(endSeconds),
        ...(declaredSeconds !== null && { limit: toMeasurement(declaredSeconds) }),
        unit: 's',
        locations: isShorter ? [locationOf({ startSeconds: endSeconds, endSeconds: declaredSeconds })] : [],
      }),
    ];
  }
  if (errorCount === 0) return [];
  return [
    certainFinding('QC-TRUNCATED', {
      subject: 'damaged',
      summary: `${errors}. Export the file again.`,
      severityReasoning: `${errors}${message}`,
      measured: errorCount,
      limit: 0,
      unit: 'errors',
      confidence: 0.9,
    }),
  ];
}

function judgeEnds(
  { videoEndSeconds: videoEnd, audioEndSeconds: audioEnd, isCutShort }: Decoding,
  { endsApartSecondsMax: limit }: Limits,
  formatTime: FormatTime,
): Finding<RuleCode>[] {
  if (videoEnd === null || audioEnd === null || isCutShort) return [];
  const apart = Math.abs(videoEnd - audioEnd);
  if (apart <= limit + 0.001) return [];
  const [first, last] = videoEnd < audioEnd ? ['Video', 'audio'] : ['Audio', 'video'];
  const range = { startSeconds: Math.min(videoEnd, audioEnd), endSeconds: Math.max(videoEnd, audioEnd) };
  return [
    certainFinding('QC-AV-LENGTH', {
      subject: 'length of picture and sound',
      summary: `${first} ends at ${formatTime(range.startSeconds)}, ${formatSeconds(apart, limit)} before the ${last} (limit ${formatSeconds(limit)}). Trim or extend one of them.`,
      severityReasoning: `Video ends at ${formatSeconds(videoEnd)}, audio at ${formatSeconds(audioEnd)}; limit ${formatSeconds(limit)} apart`,
      measured: toMeasurement(apart),
      limit,
      unit: 's',
      locations: [locationOf(range)],
    }),
  ];
}
