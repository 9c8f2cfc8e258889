import { defineSidekick } from '../../sidekick.ts';
import { checkCaptions } from './check-captions.ts';
import { rules } from './rules.ts';

const version = '1.0.0';

/** Can those who cannot hear it follow? */
export const sidekick = defineSidekick({
  id: '126c59fc-555a-4460-81ba-a2f0e55ff887',
  name: 'Captions',
  shortName: 'captions',
  version,
  description:
    'Checks captions in films and in files of their own: whether they are there, whole, in time and readable.',
  appliesTo: ['video', 'audio', 'document'],
  isDefault: true,
  needs: ['cueFile', 'embeddedCaptions', 'probe', 'sound'],
  rules,
  check: (evidence, declared) => {
    const readers = [evidence.probe?.reader, `captions ${version}`].filter(Boolean).join('; ');
    return checkCaptions(evidence, declared).map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${readers}).`,
    }));
  },
});
