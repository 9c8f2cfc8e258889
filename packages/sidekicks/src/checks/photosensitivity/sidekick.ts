import type { Probe } from '#evidence/media/probe/probe-report.ts';
import { defineSidekick } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { causes } from './causes.ts';
import { judgeFlashes } from './judge.ts';
import { judgePatterns } from './judge-patterns.ts';
import { rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.1.0';

/** Checks for flashes and striped patterns that could cause a seizure. */
export const sidekick = defineSidekick({
  id: 'b12fd011-d550-4bb8-b5be-eecd3053137e',
  name: 'Photosensitivity',
  topicLabel: 'Photosensitivity',
  shortName: 'photosensitivity',
  version,
  description: 'Counts luminance flashes and saturated red flashes at every pixel, and finds large striped patterns.',
  appliesTo: ['video', 'image'],
  isDefault: true,
  needs: ['flashes', 'patterns', 'probe'],
  rules,
  causes,
  validateLimits,
  applies: ({ flashes, probe }) => flashes !== null && !isStill(probe),
  check: ({ flashes, patterns, probe }, { profile }) => {
    if (!flashes) return [];
    const { width, height } = flashes.lookedAt;
    const decoder = probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg';
    const engine = `${decoder}; photosensitivity ${version}, every pixel of ${width} × ${height}`;
    const formatTime = timeFormatFor(probe);
    const findings = [
      ...judgeFlashes(flashes, profile.limits.photosensitivity, formatTime),
      ...judgePatterns(patterns ?? { runs: [] }, formatTime),
    ];
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine})`,
    }));
  },
});

/** Whether the file is a GIF with one frame. Other still images have no probe; video containers may miscount frames. */
function isStill(probe: Probe | null): boolean {
  return probe?.container === 'gif' && probe.streams.every(({ frameCount }) => frameCount === 1);
}
