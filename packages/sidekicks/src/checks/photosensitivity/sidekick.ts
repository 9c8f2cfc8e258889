import { defineSidekick } from '../../sidekick.ts';
import { judgeFlashes } from './judge.ts';
import { rules } from './rules.ts';

const version = '1.0.0';

/** Does it flash so much, so large and so fast that it could cause a seizure? */
export const sidekick = defineSidekick({
  id: 'b12fd011-d550-4bb8-b5be-eecd3053137e',
  name: 'Photosensitivity',
  shortName: 'photosensitivity',
  version,
  description: 'Counts flashes of luminance and of saturated red at every pixel and holds them against the limits.',
  appliesTo: ['video', 'image'],
  isDefault: true,
  needs: ['flashes', 'probe'],
  rules,
  check: ({ flashes, probe }, { profile }) => {
    if (!flashes) return [];
    const { width, height } = flashes.lookedAt;
    const decoder = probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg';
    const engine = `${decoder}; photosensitivity ${version}, every pixel of ${width} × ${height}`;
    return judgeFlashes(flashes, profile.photosensitivity).map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine})`,
    }));
  },
});
