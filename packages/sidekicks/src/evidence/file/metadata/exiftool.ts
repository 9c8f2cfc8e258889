import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { runTool, type Tool, type ToolEnd } from '@assay/jail/run-tool.ts';
import type { ToolSource } from '@assay/jail/source/source.ts';
import type { BoundName, Reading } from '#evidence/bounded.ts';

// Tags that no check needs. Every sample of a track has them, so a long video repeats them a hundred thousand times.
const ignoredTags = [
  'Text',
  'SampleDuration',
  'GPSDateTime',
  'GPSAltitude',
  'GPSSpeed',
  'GPSSpeed3D',
  'GPSTrack',
  'GPSMeasureMode',
  'GPSDOP',
  'Accelerometer',
  'AccelerometerData',
  'Gyroscope',
  'AngularVelocity',
  'CameraOrientation',
];

const MiB = 1024 * 1024;

const processLimits = {
  // This limit is high, so that results do not depend on the host's load: the CPU limit is reached first. Beyond it, the
  // examination fails and can be retried.
  secondsMax: 300,
} as const;

/**
 * Honest files take less than 40 MiB, and 26 MiB of XMP take 125. Packed text in a small image can ask for any amount.
 * Beyond it, ExifTool ends without an answer, which is a complaint.
 */
const memoryBytesMax = 192 * MiB;
/** A track can have a hundred thousand samples, and ExifTool keeps a tag of each. Tried only if the usual is too little. */
const trackMemoryBytesMax = 1024 * MiB;

/** The bounds of a run of ExifTool. */
export type ExifToolBounds = {
  cpu: Extract<BoundName, 'exifToolCpuSeconds' | 'trackCpuSeconds'>;
  output: Extract<BoundName, 'exifToolOutputBytes' | 'embeddedOutputBytes'>;
};

/**
 * Runs ExifTool on the whole file: `-fast` would skip the metadata after the image data. The keys include family,
 * group, embedded document and copy number, so that no tag replaces another of the same name. Returns `null` if it hit
 * one of its bounds.
 */
export async function runExifTool(
  more: readonly string[],
  source: ToolSource,
  reading: Reading,
  { cpu, output }: ExifToolBounds = { cpu: 'exifToolCpuSeconds', output: 'exifToolOutputBytes' },
): Promise<ToolEnd | null> {
  const tool: Tool = {
    ...exifTool(more),
    memoryBytesMax,
    cpuSecondsMax: reading.left(cpu),
    outputBytesMax: reading.left(output),
  };
  const memoryNeed = { bytes: trackMemoryBytesMax, isLong: true };
  try {
    const end = await runTool(tool, source);
    const needsMore = cpu === 'trackCpuSeconds' && isOutOfMemory(end);
    return needsMore ? await runTool({ ...tool, memoryBytesMax: trackMemoryBytesMax, memoryNeed }, source) : end;
  } catch (failure) {
    if (!(failure instanceof AssetFailure) || failure.errorType !== 'resource_limit_exceeded') throw failure;
    reading.exceed(failure.reason?.includes('wrote more than') ? output : cpu);
    return null;
  }
}

/** Perl's words when it gets no more memory. */
function isOutOfMemory({ exitCode, stderr }: ToolEnd): boolean {
  return exitCode !== 0 && stderr.includes('Out of memory');
}

function exifTool(more: readonly string[]): Pick<Tool, 'program' | 'args' | 'secondsMax'> {
  return {
    program: '/usr/bin/exiftool',
    args: [
      ...['-config', ''], // ignores the user's configuration
      ...['-json', '-a', '-n', '-G:0:1:3:4', '--System:all'],
      ...['-api', 'LargeFileSupport=1', '-api', `IgnoreTags=${ignoredTags.join(',')}`],
      ...more,
      '/in',
    ],
    ...processLimits,
  };
}
