import type { Sidekick } from '@assay/sdk';

type SidekickKey = 'captions' | 'safety' | 'loudness' | 'privacy' | 'flashes' | 'quality' | 'spec';

type SidekickRow = [
  name: string,
  shortName: string,
  notVerified: string,
  version: string,
  appliesTo: Sidekick['appliesTo'],
];

const sidekickRows: Record<SidekickKey, SidekickRow> = {
  flashes: ['Photosensitivity', 'photosensitivity', 'PSE-NOT-VERIFIED', '1.1.0', ['video', 'image']],
  loudness: ['Loudness', 'loudness', 'LOUD-NOT-MEASURED', '1.0.0', ['video', 'audio']],
  quality: ['Video and audio quality', 'qc-picture-sound', 'QC-NOT-VERIFIED', '1.0.0', ['video', 'audio']],
  captions: ['Captions', 'captions', 'CAPT-UNREADABLE', '1.0.0', ['video', 'audio', 'document']],
  privacy: [
    'Metadata privacy',
    'metadata-privacy',
    'META-NOT-VERIFIED',
    '1.0.0',
    ['video', 'audio', 'image', 'document'],
  ],
  safety: ['File safety', 'file-safety', 'SAFE-NOT-VERIFIED', '1.0.0', ['video', 'audio', 'image', 'document']],
  // The profile of the sample sets nothing for it.
  spec: ['Delivery specification', 'delivery-spec', 'SPEC-NOT-VERIFIED', '1.0.0', []],
};

export const sampleIds = Object.fromEntries(
  Object.keys(sidekickRows).map((name, i) => [name, `00000004-0000-4000-8000-${String(i + 1).padStart(12, '0')}`]),
) as Record<SidekickKey, string>;

export const sampleSidekicks = (Object.keys(sidekickRows) as SidekickKey[]).map((key) => {
  const [sidekickName, shortName, notVerifiedRuleCode, version, appliesTo] = sidekickRows[key];
  return { sidekickId: sampleIds[key], sidekickName, shortName, notVerifiedRuleCode, version, appliesTo };
});
