import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { stillSidePixelsMax, stillsPerAssetMax, stillsPerIssueMax } from '@assay/contract/limits.ts';
import { severities } from '@assay/contract/schemas/severity.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { withMemory } from '@assay/jail/with-memory.ts';
import { memoryOfFrames } from '#evidence/memory-of-frames.ts';
import type { FlashStill } from '#sidekick/flash-still.ts';
import type { FindingWithRule } from '#sidekick/sidekick.ts';
import { recognise } from '../../file/format/recognise.ts';
import { pixelsMax } from '../decode/decode.ts';
import { selectStreams } from '../decode/select-streams.ts';
import { demuxerArguments, demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { mainStreams } from '../probe/streams.ts';
import { jpegQuality } from './encode-jpeg.ts';
import type { Still } from './still.ts';
import { createFlashStills } from './take-flash-still.ts';

/** Those that ffmpeg keeps to decode one. */
const framesHeld = 8;
const ffmpegLimits = {
  cpuSecondsMax: 30,
  memoryBytesMax: 4 * 1024 * 1024 * 1024,
  outputBytesMax: 1024 * 1024,
} as const;

/** What a still is taken of: a moment, or a flash. */
type Subject = { timeMs: number } | { flash: FlashStill };

/**
 * Takes the stills that findings request: of the most severe findings first, and of each moment only once. Stills only
 * illustrate a finding, so one that cannot be taken is omitted.
 */
export async function takeStills(
  findings: readonly FindingWithRule[],
  source: Source,
  probe: Probe | null,
  secondsMax = 60, // for all stills together, because the findings wait for them
): Promise<Map<FindingWithRule, Still[]>> {
  const findingsWithStills = findings
    .filter((finding) => subjectsOf(finding).length > 0)
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const recognition = findingsWithStills.length > 0 ? await recognise(source.bytes) : undefined;
  const demuxer = recognition && demuxerOf(recognition);
  if (!demuxer) return new Map();

  const video = (probe && mainStreams(probe).video) ?? null;
  // Set aside before the time counts, so that the number of stills does not depend on other files.
  const need = memoryOfFrames((video?.width ?? 0) * (video?.height ?? 0), framesHeld, 'deep');
  return await withMemory(source, need, async (held) => {
    const endsAt = performance.now() + secondsMax * 1000;
    // The stream that was examined: ffmpeg would choose the one with the most pixels.
    const videoStream = video?.index ?? null;
    const streams = probe && video ? selectStreams(probe, recognition.startsWith('image/') || undefined) : null;
    const requestWithin = (secondsMaxLeft: number): StillRequest => ({
      ...{ demuxer, videoStream, secondsMax: secondsMaxLeft },
      ...{ sidePixelsMax: stillSidePixelsMax, framePixelsMax: pixelsMax },
    });
    const takeFlashStill = streams && createFlashStills(demuxer, streams, held);
    return await takeEach(findingsWithStills, held, async (subject) => {
      const secondsLeft = () => (endsAt - performance.now()) / 1000;
      if ('flash' in subject) {
        const { flash } = subject;
        const pair = secondsLeft() > 0 && takeFlashStill ? takeFlashStill(flash, secondsLeft()) : null;
        const still = await unlessLimited(pair);
        if (still) return still;
      }
      // The frame of the last change, if the two states of a flash cannot be shown.
      const timeMs = 'flash' in subject ? Math.round(1000 * subject.flash.endSeconds) : subject.timeMs;
      const tool = secondsLeft() > 0 ? stillTool(timeMs, requestWithin(secondsLeft())) : null;
      return tool && unlessLimited(takeFrame(timeMs, tool, held));
    });
  });
}

function subjectsOf({ flashStills = [], stillsAtMs = [] }: FindingWithRule): Subject[] {
  return [...flashStills.map((flash) => ({ flash })), ...stillsAtMs.map((timeMs) => ({ timeMs }))];
}

async function takeEach(
  findings: readonly FindingWithRule[],
  source: Source,
  take: (subject: Subject) => Promise<Still | null>,
): Promise<Map<FindingWithRule, Still[]>> {
  const taken = new Map<FindingWithRule, Still[]>();
  const known = new Map<string, Still | null>();
  let left = stillsPerAssetMax;
  for (const [i, finding] of findings.entries()) {
    source.report?.(i / findings.length);
    const stills: Still[] = [];
    for (const subject of subjectsOf(finding).slice(0, Math.min(stillsPerIssueMax, left))) {
      const key = JSON.stringify(subject);
      if (!known.has(key)) known.set(key, await take(subject));
      const still = known.get(key);
      if (still) stills.push(still);
    }
    left -= stills.length;
    taken.set(finding, stills);
  }
  return taken;
}

/** Null if ffmpeg exceeded a limit: the findings are valid without the still. */
export async function unlessLimited(taking: Promise<Still | null> | null): Promise<Still | null> {
  try {
    return await taking;
  } catch (failure) {
    if (failure instanceof AssetFailure) return null;
    throw failure;
  }
}

/** Null if there is no frame at this time. */
export async function takeFrame(timeMs: number, tool: Tool, source: Source): Promise<Still | null> {
  const { exitCode, stdout } = await runTool(tool, source);
  return exitCode === 0 && stdout.length > 0 ? { timeMs, jpeg: stdout } : null;
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
      ...['-c:v', 'mjpeg', '-q:v', `${jpegQuality}`, '-f', 'image2pipe', 'pipe:1'],
    ],
    ...ffmpegLimits,
    secondsMax,
  };
}
