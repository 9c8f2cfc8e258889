import type { Tool } from '@assay/jail/run-tool.ts';

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

export const exifToolLimits = {
  // This limit is high, so that results do not depend on the host's load: the CPU limit is reached first.
  secondsMax: 300,
  // Opening a PDF with AES-256 encryption takes 7 s. In valid files, only tracks take longer.
  cpuSecondsMax: 20,
  memoryBytesMax: 2048 * 1024 * 1024,
  outputBytesMax: 64 * 1024 * 1024,
} as const;

/**
 * Runs ExifTool on the whole file: `-fast` would skip the metadata after the image data. The keys include family,
 * group, embedded document and copy number, so that no tag hides another of the same name.
 */
export function exifTool(more: readonly string[]): Tool {
  return {
    program: '/usr/bin/exiftool',
    args: [
      ...['-config', ''], // ignores the user's configuration
      ...['-json', '-a', '-n', '-G:0:1:3:4', '--System:all'],
      ...['-api', 'LargeFileSupport=1', '-api', `IgnoreTags=${ignoredTags.join(',')}`],
      ...more,
      '/in',
    ],
    ...exifToolLimits,
  };
}
