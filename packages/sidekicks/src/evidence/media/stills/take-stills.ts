import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { stillSidePixelsMax, stillsPerAssetMax, stillsPerIssueMax } from '@assay/contract/limits.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withMemory } from '@assay/jail/with-memory.ts';
import { memoryOfFrames } from '#evidence/memory-of-frames.ts';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { recognise } from '../../file/format/recognise.ts';
import { pixelsMax } from '../decode/decode.ts';
import { demuxerArguments, demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { mainStreams } from '../probe/streams.ts';

export type Still = { timeMs: number; jpeg: Uint8Array };

const quality = 4; // from 2 (best) to 31: about 40 KB at 640 pixels
/** Those that ffmpeg keeps to decode one. */
const framesHeld = 8;
const ffmpegLimits = {
  cpuSecondsMax: 30,
  memoryBytesMax: 4 * 1024 * 1024 * 1024,
  outputBytesMax: 1024 * 1024,
} as const;

/**
 * Extracts frames at the times that findings request: the most severe findings first, and each time only once. Stills
 * only illustrate a finding, so one that cannot be extracted is omitted.
 */
export async function takeStills(
  findings: readonly FindingWithRule[],
  source: Source,
  probe: Probe | null,
  secondsMax = 60, // for all stills together, because the findings wait for them
): Promise<Map<FindingWithRule, Still[]>> {
  const findingsWithStills = findings
    .filter(({ stillsAtMs = [] }) => stillsAtMs.length > 0)
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const demuxer = findingsWithStills.length > 0 ? demuxerOf(await recognise(source.bytes)) : undefined;
  if (!demuxer) return new Map();

  const video = (probe && mainStreams(probe).video) ?? null;
  // Set aside before the time counts, so that the number of stills does not depend on other files.
  const need = memoryOfFrames((video?.width ?? 0) * (video?.height ?? 0), framesHeld, 'deep');
  return await withMemory(source, need, async (held) => {
    const endsAt = performance.now() + secondsMax * 1000;
    // The stream that was examined: ffmpeg would choose the one with the most pixels.
    const videoStream = video?.index ?? null;
    return await takeEach(findingsWithStills, held, (timeMs) => {
      const secondsLeft = (endsAt - performance.now()) / 1000;
      const request = { demuxer, videoStream, secondsMax: secondsLeft, sidePixelsMax: stillSidePixelsMax };
      return secondsLeft > 0 ? stillTool(timeMs, { ...request, framePixelsMax: pixelsMax }) : null;
    });
  });
}

/** @param toolAt null when the time is over */
async function takeEach(
  findings: readonly FindingWithRule[],
  source: Source,
  toolAt: (timeMs: number) => Tool | null,
): Promise<Map<FindingWithRule, Still[]>> {
  const taken = new Map<FindingWithRule, Still[]>();
  const jpegByTime = new Map<number, Uint8Array | null>();
  let left = stillsPerAssetMax;
  for (const [i, finding] of findings.entries()) {
    source.report?.(i / findings.length);
    const stills: Still[] = [];
    for (const timeMs of (finding.stillsAtMs ?? []).slice(0, Math.min(stillsPerIssueMax, left))) {
      const tool = jpegByTime.has(timeMs) ? null : toolAt(timeMs);
      if (!jpegByTime.has(timeMs)) jpegByTime.set(timeMs, tool && (await takeStill(tool, source)));
      const jpeg = jpegByTime.get(timeMs);
      if (jpeg) stills.push({ timeMs, jpeg });
    }
    left -= stills.length;
    taken.set(finding, stills);
  }
  return taken;
}

/** Null if there is no frame at this time, or if decoding it takes too much. */
export async function takeStill(tool: Tool, source: Source): Promise<Uint8Array | null> {
  try {
    const end = await runTool(tool, source);
    return end.exitCode === 0 && end.stdout.length > 0 ? end.stdout : null;
  } catch (failure) {
    // ffmpeg exceeded a limit: the findings are valid without the still.
    if (failure instanceof AssetFailure) return null;
    throw failure;
  }
}

type StillRequest = {
  demuxer: string;
  /** Null: the only one. */
  videoStream: number | null;
  secondsMax: number;
  /** The longer side of the still. */
  sidePixelsMax: number;
  /** Larger frames are refused before they are decoded. */
  framePixelsMax: number;
};

/** Writes the frame at this time as a JPEG to stdout. */
export function stillTool(timeMs: number, request: StillRequest): Tool {
  const { demuxer, videoStream, secondsMax, sidePixelsMax, framePixelsMax } = request;
  const mapped = videoStream === null ? [] : ['-map', `0:${videoStream}`];
  const side = `'min(${sidePixelsMax},iw)':'min(${sidePixelsMax},ih)'`;
  return {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe', '-max_pixels', `${framePixelsMax}`],
      ...[
        ...demuxerArguments(demuxer),
        '-ss',
        `${timeMs / 1000}`,
        '-i',
        '/in',
        '-an',
        '-sn',
        ...mapped,
        '-frames:v',
        '1',
      ],
      ...['-vf', `scale=${side}:force_original_aspect_ratio=decrease,format=yuvj420p`],
      ...['-c:v', 'mjpeg', '-q:v', `${quality}`, '-f', 'image2pipe', 'pipe:1'],
    ],
    ...ffmpegLimits,
    secondsMax,
  };
}
