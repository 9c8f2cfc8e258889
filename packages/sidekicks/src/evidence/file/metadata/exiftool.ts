import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { runTool, type Tool, type ToolEnd } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
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

const processLimits = {
  // This limit is high, so that results do not depend on the host's load: the CPU limit is reached first. Beyond it, the
  // examination fails and can be retried.
  secondsMax: 300,
  // Beyond it, ExifTool ends without an answer, which is a complaint.
  memoryBytesMax: 2048 * 1024 * 1024,
} as const;

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
  source: Pick<Source, 'fd' | 'signal' | 'jail'>,
  reading: Reading,
  { cpu, output }: ExifToolBounds = { cpu: 'exifToolCpuSeconds', output: 'exifToolOutputBytes' },
): Promise<ToolEnd | null> {
  const bounded = { cpuSecondsMax: reading.left(cpu), outputBytesMax: reading.left(output) };
  try {
    return await runTool({ ...exifTool(more), ...bounded }, source);
  } catch (failure) {
    if (!(failure instanceof AssetFailure) || failure.errorType !== 'resource_limit_exceeded') throw failure;
    reading.exceed(failure.reason?.includes('wrote more than') ? output : cpu);
    return null;
  }
}

function exifTool(more: readonly string[]): Pick<Tool, 'program' | 'args' | 'secondsMax' | 'memoryBytesMax'> {
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
