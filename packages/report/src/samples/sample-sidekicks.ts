import type { Sidekick } from '@assay/sdk';

type SidekickKey = 'captions' | 'safety' | 'loudness' | 'privacy' | 'flashes' | 'quality';

const sidekickRows: Record<SidekickKey, [name: string, version: string, appliesTo: Sidekick['appliesTo']]> = {
  flashes: ['Photosensitivity', '1.1.0', ['video', 'image']],
  loudness: ['Loudness', '1.0.0', ['video', 'audio']],
  quality: ['Video and audio quality', '1.0.0', ['video', 'audio']],
  captions: ['Captions', '1.0.0', ['video', 'audio', 'document']],
  privacy: ['Metadata privacy', '1.0.0', ['video', 'audio', 'image', 'document']],
  safety: ['File safety', '1.0.0', ['video', 'audio', 'image', 'document']],
};

export const sampleIds = Object.fromEntries(
  Object.keys(sidekickRows).map((name, i) => [name, `00000004-0000-4000-8000-${String(i + 1).padStart(12, '0')}`]),
) as Record<SidekickKey, string>;

export const sampleSidekicks = (Object.keys(sidekickRows) as SidekickKey[]).map((key) => {
  const [sidekickName, version, appliesTo] = sidekickRows[key];
  return { sidekickId: sampleIds[key], sidekickName, version, appliesTo };
});
