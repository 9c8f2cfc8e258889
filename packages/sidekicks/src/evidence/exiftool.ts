import type { Tool } from './run-tool.ts';

// What comes with every sample of a track, a hundred thousand times in a long film, and says nothing that is asked for.
const ignored = [
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
  // What it finds must not depend on how busy the machine is: the limit that counts is that of the CPU.
  secondsMax: 300,
  // To open a PDF under AES-256 takes 7 s, and nothing else that is honest takes longer but tracks.
  cpuSecondsMax: 20,
  memoryBytesMax: 2048 * 1024 * 1024,
  outputBytesMax: 64 * 1024 * 1024,
} as const;

/**
 * ExifTool over the whole file: `-fast` would leave out what stands behind the picture. Its keys tell family, group,
 * embedded document and copy, so that no tag hides another of the same name.
 */
export function exifTool(more: readonly string[]): Tool {
  return {
    program: '/usr/bin/exiftool',
    args: [
      ...['-config', ''], // nobody's own settings
      ...['-json', '-a', '-n', '-G:0:1:3:4', '--System:all'],
      ...['-api', 'LargeFileSupport=1', '-api', `IgnoreTags=${ignored.join(',')}`],
      ...more,
      '/in',
    ],
    ...exifToolLimits,
  };
}
