import { defineSidekick } from '../../sidekick.ts';
import { judgeArchive } from './judge-archive.ts';
import { judgeImage } from './judge-image.ts';
import { judgeKind } from './judge-kind.ts';
import { judgePdf } from './judge-pdf.ts';
import { rules } from './rules.ts';

const version = '1.0.0';

/** Is the file safe to open and to pass on? By its bytes alone: no decoder runs, nothing is executed. */
export const sidekick = defineSidekick({
  id: '640785f0-005a-4058-92f5-c56e81aa96a5',
  name: 'File safety',
  shortName: 'file-safety',
  version,
  description:
    'Looks for files that are not what they say, carry a second file, run code when opened, or blow up when unpacked.',
  appliesTo: ['video', 'audio', 'image', 'document'],
  isDefault: true,
  decisionsNeedSameContent: true,
  needs: ['recognition', 'testSignature', 'textFlaw', 'imageHeader', 'foreignContent', 'pdfContent', 'zipContent'],
  rules,
  check: (evidence, declared) =>
    [judgeKind, judgePdf, judgeArchive, judgeImage]
      .flatMap((judge) => judge(evidence, declared))
      .map((finding) => ({ ...finding, severityReasoning: `${finding.severityReasoning} (file-safety ${version})` })),
});
