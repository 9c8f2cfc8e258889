import { defineSidekick } from '#sidekick/sidekick.ts';
import { causes } from './causes.ts';
import { examinedParts } from './examined-parts.ts';
import { judgeArchive } from './judge-archive.ts';
import { judgeImage } from './judge-image.ts';
import { judgeKind } from './judge-kind.ts';
import { judgePdf } from './judge-pdf.ts';
import { rules } from './rules.ts';
import { judgeLimits, withDistinctSubjects } from './unread.ts';

const version = '1.2.0';
const needs = [
  ...(['recognition', 'testSignature', 'textFlaw', 'imageHeader'] as const),
  ...(['foreignContent', 'pdfContent', 'zipContent'] as const),
] as const;

/** Checks whether a file is safe to open and pass on. Only reads bytes: no decoder runs and nothing is executed. */
export const sidekick = defineSidekick({
  id: '640785f0-005a-4058-92f5-c56e81aa96a5',
  name: 'File safety',
  topicLabel: 'File safety',
  shortName: 'file-safety',
  version,
  description:
    'Finds files whose content does not match their name, that contain a second file, run code when opened, or expand without limit.',
  appliesTo: ['video', 'audio', 'image', 'document'],
  isDefault: true,
  decisionsNeedSameContent: true,
  needs,
  rules,
  notVerified: 'SAFE-NOT-VERIFIED',
  causes,
  examined: examinedParts,
  check: (evidence, declared) =>
    withDistinctSubjects([
      ...[judgeKind, judgePdf, judgeArchive, judgeImage].flatMap((judge) => judge(evidence, declared)),
      ...judgeLimits(evidence, needs, declared),
    ]).map((finding) => ({ ...finding, severityReasoning: `${finding.severityReasoning} (file-safety ${version})` })),
});
