import { certainFinding } from '#sidekick/rule-table.ts';
import { defineSidekick, type Finding } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { causes } from './causes.ts';
import { judgeAudio } from './judge-audio.ts';
import { judgeBlackAndFreeze } from './judge-black-freeze.ts';
import { judgeFile } from './judge-file.ts';
import { judgeLevels } from './judge-levels.ts';
import { judgeMotion } from './judge-motion.ts';
import { type RuleCode, rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.1.1';

/** Checks whether the file would pass a broadcaster's quality control. */
export const sidekick = defineSidekick({
  id: 'b7fd83ff-8f96-4ac2-9420-7d415c201055',
  name: 'Video and audio quality',
  topicLabel: 'Video and audio quality',
  shortName: 'qc-picture-sound',
  version,
  description:
    'Checks for black and frozen video, illegal levels, wrong range and field flags, variable frame rate, silence, clipping, phase errors, and incomplete or damaged files.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['video', 'audio', 'probe', 'decoding'],
  rules,
  causes,
  validateLimits,
  // `decoding` is null if the content is neither video nor audio, whatever the file name says.
  applies: ({ decoding }) => decoding !== null,
  check: ({ video, audio, probe, decoding }, { profile, media }) => {
    const findings: Finding<RuleCode>[] = [];
    const formatTime = timeFormatFor(probe);
    if (decoding) findings.push(...judgeFile(decoding, probe, profile.limits.qcPictureSound, formatTime));
    if (video) {
      findings.push(...judgeBlackAndFreeze(video, profile.limits.qcPictureSound, formatTime));
      // In a damaged file, the decoder conceals errors with levels that are not in the file.
      if (!decoding?.errorCount) findings.push(...judgeLevels(video, profile.limits.qcPictureSound, formatTime));
      findings.push(...judgeMotion(video));
    }
    if (audio) findings.push(...judgeAudio(audio, profile.limits.qcPictureSound, formatTime));
    const hasAudio = probe?.streams.some(({ kind }) => kind === 'audio') ?? true;
    if (media.category === 'video' && !hasAudio) findings.push(noAudioFinding());
    const engine = probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg';
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine}; qc-picture-sound ${version})`,
    }));
  },
});

function noAudioFinding(): Finding<RuleCode> {
  return certainFinding('QC-NO-AUDIO', {
    subject: 'no sound',
    summary: 'The video has no audio track. Add one, or dismiss this issue if the video is meant to be silent.',
    severityReasoning: 'No audio stream in the container',
  });
}
