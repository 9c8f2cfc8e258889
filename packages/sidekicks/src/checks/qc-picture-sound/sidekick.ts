import { certain } from '../../rule-table.ts';
import { defineSidekick, type Finding } from '../../sidekick.ts';
import { judgeFile } from './judge-file.ts';
import { judgeLevels } from './judge-levels.ts';
import { judgeMotion } from './judge-motion.ts';
import { judgeSound } from './judge-sound.ts';
import { judgeStandstill } from './judge-standstill.ts';
import { type RuleCode, rules } from './rules.ts';

const version = '1.0.0';

/** Would a broadcaster's quality control let it pass? */
export const sidekick = defineSidekick({
  id: 'b7fd83ff-8f96-4ac2-9420-7d415c201055',
  name: 'Picture and sound',
  shortName: 'qc-picture-sound',
  version,
  description:
    'Looks for black, frozen and illegal pictures, silence, clipping, wrong phase, fields, range and frame rate, and for files that are not whole.',
  appliesTo: ['video', 'audio'],
  isDefault: true,
  needs: ['picture', 'sound', 'probe', 'decoding'],
  rules,
  check: ({ picture, sound, probe, decoding }, { profile, media }) => {
    const findings: Finding<RuleCode>[] = [];
    if (decoding) findings.push(...judgeFile(decoding, probe, profile.sound));
    if (picture) {
      findings.push(...judgeStandstill(picture, profile.picture));
      // What a decoder makes up where the file is damaged has levels that nobody filmed.
      if (!decoding?.errorCount) findings.push(...judgeLevels(picture, profile.picture));
      findings.push(...judgeMotion(picture));
    }
    if (sound) findings.push(...judgeSound(sound, profile.sound));
    const hasSound = probe?.streams.some(({ kind }) => kind === 'audio') ?? true;
    if (media.category === 'video' && !hasSound) findings.push(noAudio());
    const engine = probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg';
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine}; qc-picture-sound ${version})`,
    }));
  },
});

function noAudio(): Finding<RuleCode> {
  return certain('QC-NO-AUDIO', {
    subject: 'no sound',
    summary: 'The film has no sound track. If it is meant to be silent, say so where you deliver it.',
    severityReasoning: 'No audio stream in the container',
  });
}
