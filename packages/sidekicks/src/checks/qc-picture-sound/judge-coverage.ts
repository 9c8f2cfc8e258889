import type { NotExamined, NotExaminedReason } from '@assay/contract/schemas/coverage.ts';
import type { Evidence } from '#evidence/evidence.ts';
import { audioNotExamined, mainStreams, videoNotExamined } from '#evidence/media/probe/streams.ts';
import { toMeasurement } from '#sidekick/format-values.ts';
import type { Profile } from '#sidekick/profile.ts';
import { notVerifiedFinding } from '#sidekick/rule-table.ts';
import type { Finding } from '#sidekick/sidekick.ts';
import type { FormatTime } from '#sidekick/timecode.ts';
import type { RuleCode } from './rules.ts';
import { findUnmeasured } from './validate-limits.ts';

type Limits = Profile['limits']['qcPictureSound'];

export type Seen = Pick<Evidence, 'video' | 'audio' | 'furtherAudio' | 'decoding' | 'probe' | 'recognition'>;

const explanations: Readonly<Record<NotExaminedReason, { because: string; remedy: string }>> = {
  damaged: {
    because: 'the file is incomplete or damaged',
    remedy: 'Export the file again, or check this by hand.',
  },
  encrypted: { because: 'it is encrypted', remedy: 'Submit the file without encryption, or check this by hand.' },
  unsupported: { because: 'this version cannot decode it', remedy: 'Check this by hand, or remove it from the file.' },
  limit_reached: {
    because: 'there are too many tracks',
    remedy: 'Submit it as a file of its own, or check it by hand.',
  },
  not_measurable: { because: 'the file does not show it', remedy: 'Check this by hand.' },
};

/** Says what was not examined, in one finding for each reason. That the file is damaged is the fault of another rule. */
export function judgeCoverage(seen: Seen, limits: Limits, formatTime: FormatTime): Finding<RuleCode>[] {
  const parts = seen.probe ? [...partsOf(seen, seen.probe, formatTime), ...unmeasuredLimits(limits)] : unreadFile();
  return [...Map.groupBy(parts, ({ reason }) => reason)].map(([reason, ofReason]) => {
    const label = ofReason.map((part) => part.label).join(', ');
    const { because, remedy } = explanations[reason];
    return notVerifiedFinding(
      'QC-NOT-VERIFIED',
      {
        kind: ofReason[0]?.kind ?? 'frames',
        label,
        reason,
        share: ofReason.find(({ share }) => share !== null)?.share ?? null,
      },
      {
        subject: `not examined: ${reason}`,
        summary: `Not examined, because ${because}: ${label}. ${remedy}`,
        severityReasoning: `Not examined: ${label}`,
      },
    );
  });
}

function partsOf(seen: Seen, probe: NonNullable<Seen['probe']>, formatTime: FormatTime): NotExamined[] {
  return [
    ...undecodedStreams(seen, probe),
    ...missingEnd(seen, probe, formatTime),
    ...undecodedFrames(seen),
    ...undeterminedMotion(seen),
    ...videoNotExamined(probe),
    ...audioNotExamined(probe, 1 + (seen.furtherAudio ?? []).length),
  ];
}

/** Streams of which nothing could be decoded. */
function undecodedStreams({ video, audio }: Seen, probe: NonNullable<Seen['probe']>): NotExamined[] {
  const { videos, audios } = mainStreams(probe);
  const isMain = ({ role }: (typeof videos)[number]) => role === 'main';
  const whole = { reason: 'damaged', share: 1 } as const;
  return [
    ...(hasFrames(video)
      ? []
      : videos.filter(isMain).map(({ name }) => ({ kind: 'video_stream' as const, label: name, ...whole }))),
    ...(audio && audio.durationSeconds > 0
      ? []
      : audios.filter(isMain).map(({ name }) => ({ kind: 'audio_stream' as const, label: name, ...whole }))),
  ];
}

export function hasFrames(video: Seen['video']): video is NonNullable<Seen['video']> {
  return video !== null && video.timing.count > 0;
}

function missingEnd({ decoding }: Seen, probe: NonNullable<Seen['probe']>, formatTime: FormatTime): NotExamined[] {
  if (!decoding?.isCutShort || !probe.durationSeconds) return [];
  const endSeconds = Math.max(decoding.videoEndSeconds ?? 0, decoding.audioEndSeconds ?? 0);
  const missingSeconds = probe.durationSeconds - endSeconds;
  if (missingSeconds <= 0) return [];
  const label = `everything from ${formatTime(endSeconds)} to ${formatTime(probe.durationSeconds)}`;
  return [{ kind: 'frames', label, reason: 'damaged', share: toMeasurement(missingSeconds / probe.durationSeconds) }];
}

function undecodedFrames({ video, decoding }: Seen): NotExamined[] {
  if (!decoding?.errorCount) return [];
  const damaged = { reason: 'damaged', share: null } as const;
  return [
    { kind: 'frames', label: 'frames that cannot be decoded', ...damaged },
    // The decoder conceals errors with levels that are not in the file, so those of no frame are judged.
    ...(hasFrames(video) ? [{ kind: 'frames' as const, label: 'levels of the whole video', ...damaged }] : []),
  ];
}

/** Only if no frame has a verdict: frames without motion, whose fields no one can see, are undetermined in every video. */
function undeterminedMotion({ video }: Seen): NotExamined[] {
  if (!hasFrames(video)) return [];
  const { count, longestSeconds } = video.timing;
  const { tff, bff, progressive, undetermined } = video.fields;
  const isUnknown = { kind: 'video_stream', reason: 'not_measurable', share: null } as const;
  return [
    ...(tff + bff + progressive + undetermined === 0 ? [{ label: 'fields', ...isUnknown }] : []),
    ...(count > 1 && longestSeconds === 0 ? [{ label: 'times of the frames', ...isUnknown }] : []),
  ];
}

function unmeasuredLimits(limits: Limits): NotExamined[] {
  return findUnmeasured(limits).map(({ limit, value }) => ({
    kind: 'frames',
    label: `values between the profile’s ${limit} and ${value}`,
    reason: 'not_measurable',
    share: null,
  }));
}

function unreadFile(): NotExamined[] {
  return [{ kind: 'video_stream', label: 'the whole file', reason: 'unsupported', share: 1 }];
}
