import type { Evidence } from '#evidence/evidence.ts';
import { type Declared, defineSidekick } from '#sidekick/sidekick.ts';
import { timeFormatFor } from '#sidekick/timecode.ts';
import { unexaminedStreamFindings } from '#sidekick/unexamined-streams.ts';
import { unreadMediaFindings } from '#sidekick/unread-media.ts';
import { causes } from './causes.ts';
import { judgeFlashes } from './judge.ts';
import { judgePatterns } from './judge-patterns.ts';
import { judgeUnexamined } from './judge-unexamined.ts';
import { rules } from './rules.ts';
import { validateLimits } from './validate-limits.ts';

const version = '1.3.0';

/** Checks for flashes and striped patterns that could cause a seizure. */
export const sidekick = defineSidekick({
  id: 'b12fd011-d550-4bb8-b5be-eecd3053137e',
  name: 'Photosensitivity',
  topicLabel: 'Photosensitivity',
  shortName: 'photosensitivity',
  version,
  description: 'Counts luminance flashes and saturated red flashes at every pixel, and finds large striped patterns.',
  // A file that is declared as audio can have a video stream.
  appliesTo: ['video', 'audio', 'image'],
  isDefault: true,
  needs: ['flashes', 'patterns', 'probe', 'animation', 'recognition'],
  rules,
  notVerified: 'PSE-NOT-VERIFIED',
  causes,
  validateLimits,
  nothingToExamine: (evidence, declared) =>
    hasMotion(evidence) || unreadFindings(evidence, declared).length > 0 ? null : 'nothing_in_file',
  examined: ({ flashes }) =>
    flashes ? [{ kind: 'video_stream', label: 'video', quantity: flashes.frameCount, unit: 'frames' }] : [],
  check: (evidence, declared) => {
    const { flashes, patterns, probe, animation } = evidence;
    const { profile } = declared;
    const decoder = probe?.reader.replace('ffprobe', 'ffmpeg') ?? 'ffmpeg';
    const size = flashes ? `, every pixel of ${flashes.lookedAt.width} × ${flashes.lookedAt.height}` : '';
    const engine = `${decoder}; photosensitivity ${version}${size}${flashes?.isByField ? ', field by field' : ''}`;
    const formatTime = timeFormatFor(probe);
    const findings = [
      ...(flashes ? judgeFlashes(flashes, profile.limits.photosensitivity, formatTime) : []),
      ...judgePatterns(patterns ?? { runs: [] }, formatTime),
      ...judgeUnexamined({ flashes, animation }),
      ...unexaminedStreamFindings('PSE-NOT-VERIFIED', probe, { video: true }),
      ...unreadFindings(evidence, declared),
    ];
    return findings.map((finding) => ({
      ...finding,
      severityReasoning: `${finding.severityReasoning} (${engine})`,
    }));
  },
});

/** Whether there is more than a still image. Images declare their number of frames; video containers may miscount. */
function hasMotion({ flashes, animation, probe }: Pick<Evidence, 'flashes' | 'animation' | 'probe'>): boolean {
  if (!flashes) return animation !== null;
  const isImage = animation !== null || probe?.container === 'gif' || probe?.container === 'apng';
  return !(isImage && probe?.streams.every(({ frameCount }) => frameCount === 1));
}

function unreadFindings({ probe, recognition }: Pick<Evidence, 'probe' | 'recognition'>, declared: Declared) {
  return probe ? [] : unreadMediaFindings('PSE-NOT-VERIFIED', 'video_stream', recognition, declared);
}
