import type { Sidekick } from '@assay/sdk';

type Name = 'captions' | 'safety' | 'loudness' | 'privacy' | 'flashes' | 'quality';

const rows: Record<Name, [string, Sidekick['appliesTo']]> = {
  flashes: ['Photosensitivity', ['video']],
  loudness: ['Loudness', ['video', 'audio']],
  quality: ['Video and audio quality', ['video', 'audio']],
  captions: ['Captions', ['video', 'audio']],
  privacy: ['Metadata privacy', ['video', 'audio', 'image', 'document']],
  safety: ['File safety', ['video', 'audio', 'image', 'document']],
};

export const sampleIds = Object.fromEntries(
  Object.keys(rows).map((name, i) => [name, `00000004-0000-4000-8000-${String(i + 1).padStart(12, '0')}`]),
) as Record<Name, string>;

export const sampleSidekicks = (Object.keys(rows) as Name[]).map((key) => {
  const [sidekickName, appliesTo] = rows[key];
  return { sidekickId: sampleIds[key], sidekickName, appliesTo };
});
