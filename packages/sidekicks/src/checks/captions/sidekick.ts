import type { Evidence } from '#evidence/evidence.ts';
import { type Declared, defineSidekick } from '#sidekick/sidekick.ts';
import { unreadMediaFindings } from '#sidekick/unread-media.ts';
import { causes } from './causes.ts';
import { checkCaptions } from './check-captions.ts';
import { isCaptionType } from './judge-file.ts';
import { rules } from './rules.ts';
import { tracksOf } from './tracks.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.2.1';

/** Checks whether deaf and hard-of-hearing people can follow the content. */
export const sidekick = defineSidekick({
  id: '126c59fc-555a-4460-81ba-a2f0e55ff887',
  name: 'Captions',
  topicLabel: 'Captions',
  shortName: 'captions',
  version,
  description: 'Checks captions in video and in caption files: presence, format, timing, reading speed and language.',
  appliesTo: ['video', 'audio', 'document'],
  isDefault: true,
  needs: ['cueFile', 'embeddedCaptions', 'probe', 'audio', 'recognition'],
  rules,
  notVerified: 'CAPT-UNREADABLE',
  causes,
  validateLimits,
  // Other documents, and media without audio and captions, have nothing that could be captioned.
  nothingToExamine: (evidence, declared) =>
    evidence.cueFile !== null ||
    isCaptionType(declared.media) ||
    evidence.embeddedCaptions !== null ||
    evidence.probe?.streams.some(({ kind }) => kind === 'audio') ||
    unreadFindings(evidence, declared).length > 0
      ? null
      : 'nothing_in_file',
  examined: ({ cueFile, embeddedCaptions }, { filename }) =>
    tracksOf(cueFile, embeddedCaptions, filename).map(({ label, cues }) => ({
      kind: 'caption_track',
      label,
      quantity: cues.length,
      unit: 'captions',
    })),
  check: (evidence, declared) => {
    const readers = [evidence.probe?.reader, `captions ${version}`].filter(Boolean).join('; ');
    const findings = [...checkCaptions(evidence, declared), ...unreadFindings(evidence, declared)];
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${readers})`,
    }));
  },
});

function unreadFindings({ probe, recognition }: Pick<Evidence, 'probe' | 'recognition'>, declared: Declared) {
  return probe ? [] : unreadMediaFindings('CAPT-UNREADABLE', 'caption_track', recognition, declared);
}
