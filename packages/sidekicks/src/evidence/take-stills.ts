import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { stillSidePixelsMax, stillsPerAssetMax, stillsPerIssueMax } from '@assay/contract/limits.ts';
import { severities } from '@assay/contract/severity.ts';
import type { FoundBy } from '../sidekick.ts';
import { pixelsMax } from './pass/decode.ts';
import { demuxerOf } from './probe.ts';
import { recognise } from './recognise.ts';
import { runTool, type Tool } from './run-tool.ts';
import type { Source } from './source.ts';

export type Still = { timeMs: number; jpeg: Uint8Array };

const quality = 4; // of 2 to 31: some 40 KB of 640 pixels
const limits = {
  cpuSecondsMax: 30,
  memoryBytesMax: 4 * 1024 * 1024 * 1024,
  outputBytesMax: 1024 * 1024,
} as const;

/**
 * Pictures of the moments that findings name: of the most severe first, each moment once. They are for people and
 * prove nothing, so one that cannot be had is left out.
 */
export async function takeStills(
  findings: readonly FoundBy[],
  source: Source,
  secondsMax = 60, // for all of them: the findings wait for it
): Promise<Map<FoundBy, Still[]>> {
  const wanted = findings
    .filter(({ stillsAtMs = [] }) => stillsAtMs.length > 0)
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const taken = new Map<FoundBy, Still[]>();
  const demuxer = wanted.length > 0 ? demuxerOf(await recognise(source.bytes)) : undefined;
  if (!demuxer) return taken;

  const began = performance.now();
  const byMoment = new Map<number, Uint8Array | null>();
  let left = stillsPerAssetMax;
  for (const finding of wanted) {
    const stills: Still[] = [];
    for (const timeMs of (finding.stillsAtMs ?? []).slice(0, Math.min(stillsPerIssueMax, left))) {
      const secondsLeft = secondsMax - (performance.now() - began) / 1000;
      if (!byMoment.has(timeMs)) {
        const jpeg = secondsLeft > 0 ? await takeStill(ffmpeg(timeMs, demuxer, secondsLeft), source) : null;
        byMoment.set(timeMs, jpeg);
      }
      const jpeg = byMoment.get(timeMs);
      if (jpeg) stills.push({ timeMs, jpeg });
    }
    left -= stills.length;
    taken.set(finding, stills);
  }
  return taken;
}

async function takeStill(tool: Tool, source: Source): Promise<Uint8Array | null> {
  try {
    const end = await runTool(tool, source);
    return end.exitCode === 0 && end.stdout.length > 0 ? end.stdout : null;
  } catch (failure) {
    // Too heavy or too slow: the findings count, with or without it.
    if (failure instanceof AssetFailure) return null;
    throw failure;
  }
}

function ffmpeg(timeMs: number, demuxer: string, secondsMax: number): Tool {
  const side = `'min(${stillSidePixelsMax},iw)':'min(${stillSidePixelsMax},ih)'`;
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-max_pixels', `${pixelsMax}`],
      ...['-f', demuxer, '-ss', `${timeMs / 1000}`, '-i', '/in', '-an', '-sn', '-frames:v', '1'],
      ...['-vf', `scale=${side}:force_original_aspect_ratio=decrease,format=yuvj420p`],
      ...['-c:v', 'mjpeg', '-q:v', `${quality}`, '-f', 'image2pipe', 'pipe:1'],
    ],
    ...limits,
    secondsMax,
  };
}
