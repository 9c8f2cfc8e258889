import type { MediaType } from '@assay/contract/media-types.ts';
import type { Examined } from '@assay/contract/schemas/coverage.ts';
import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { audioProgrammes } from '#evidence/media/probe/programmes.ts';
import { mainStreams } from '#evidence/media/probe/streams.ts';
import { certainFinding } from '#sidekick/rule-table.ts';
import { defineSidekick, type Finding } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { mayBeMedia } from '#sidekick/unread-media.ts';
import { causes } from './causes.ts';
import { judgeProgrammes } from './judge-audio.ts';
import { judgeBlackAndFreeze } from './judge-black-freeze.ts';
import { hasFrames, judgeCoverage } from './judge-coverage.ts';
import { judgeFile } from './judge-file.ts';
import { judgeLevels } from './judge-levels.ts';
import { judgeMotion } from './judge-motion.ts';
import { type RuleCode, rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.2.1';

/** Checks whether the file would pass a broadcaster's quality control. */
export const sidekick = defineSidekick({
  id: 'b7fd83ff-8f96-4ac2-9420-7d415c201055',
  name: 'Video and audio quality',
  topicLabel: 'Video and audio quality',
  shortName: 'qc-picture-sound',
  version,
  description:
    'Checks for black and frozen video, illegal levels, wrong range and field flags, variable frame rate, silence, clipping, phase errors, missing video, and incomplete or damaged files.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['recognition', 'video', 'audio', 'furtherAudio', 'probe', 'decoding'],
  rules,
  notVerified: 'QC-NOT-VERIFIED',
  causes,
  validateLimits,
  nothingToExamine: ({ decoding, recognition }) => (decoding || mayBeMedia(recognition) ? null : 'nothing_in_file'),
  examined: ({ video, audio, furtherAudio, probe }) => {
    const programmes = probe ? audioProgrammes(probe).programmes : [];
    return [
      ...(hasFrames(video) ? [examinedVideo(video.timing.count, probe)] : []),
      ...(audio ? [audio, ...(furtherAudio ?? [])] : []).map(({ durationSeconds }, n): Examined => {
        return { kind: 'audio_stream', label: programmes[n]?.name ?? 'audio', quantity: durationSeconds, unit: 's' };
      }),
    ];
  },
  check: (evidence, { profile, media }) => {
    const { video, audio, furtherAudio, probe, decoding } = evidence;
    const findings: Finding<RuleCode>[] = [];
    const formatTime = timeFormatFor(probe);
    if (decoding) findings.push(...judgeFile(decoding, probe, profile.limits.qcPictureSound, formatTime));
    if (hasFrames(video)) {
      findings.push(...judgeBlackAndFreeze(video, profile.limits.qcPictureSound, formatTime));
      // In a damaged file, the decoder conceals errors with levels that are not in the file.
      if (!decoding?.errorCount) findings.push(...judgeLevels(video, profile.limits.qcPictureSound, formatTime));
      findings.push(...judgeMotion(video));
    }
    const records = audio ? [audio, ...(furtherAudio ?? [])] : [];
    const programmes = probe ? audioProgrammes(probe).programmes : [];
    findings.push(...judgeProgrammes(records, programmes, profile.limits.qcPictureSound, formatTime));
    if (media.category === 'video' && probe) findings.push(...judgeMissingStreams(probe, media, hasFrames(video)));
    findings.push(...judgeCoverage(evidence, profile.limits.qcPictureSound, formatTime));
    const engine = probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg';
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine}; qc-picture-sound ${version})`,
    }));
  },
});

function examinedVideo(frames: number, probe: Probe | null): Examined {
  const main = probe && mainStreams(probe).videos.find(({ role }) => role === 'main');
  return { kind: 'video_stream', label: main?.name ?? 'video', quantity: frames, unit: 'frames' };
}

/** Containers in which audio alone is often delivered, so a missing picture is less than a fault. */
const audioDeliveryTypes: readonly string[] = ['video/quicktime', 'application/mxf'];

/** Reports that a video has no picture or no sound. */
function judgeMissingStreams(probe: Probe, { type }: MediaType, isVideoDecoded: boolean): Finding<RuleCode>[] {
  const { video, audios } = mainStreams(probe);
  return [
    ...(isVideoDecoded ? [] : [noVideoFinding(video !== null, audioDeliveryTypes.includes(type))]),
    ...(audios.length > 0 ? [] : [noAudioFinding()]),
  ];
}

function noVideoFinding(isDeclared: boolean, mayBeAudioOnly: boolean): Finding<RuleCode> {
  return certainFinding('QC-NO-VIDEO', {
    subject: 'no picture',
    summary: isDeclared
      ? 'No frame of the video can be decoded, so players show no picture. Export the file again.'
      : 'The file has no video track. Export it with its video, or submit it as an audio file if it is meant to have none.',
    severityReasoning: isDeclared ? 'No frame was decoded' : 'No video stream in the container',
    ...(!isDeclared && mayBeAudioOnly && { severityMax: 'MINOR' as const }),
  });
}

function noAudioFinding(): Finding<RuleCode> {
  return certainFinding('QC-NO-AUDIO', {
    subject: 'no sound',
    summary: 'The video has no audio track. Add one, or dismiss this issue if the video is meant to be silent.',
    severityReasoning: 'No audio stream in the container',
  });
}
