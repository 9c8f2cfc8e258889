import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Probe } from '../probe/probe-report.ts';
import { type MediaInfo, readMediaInfoReport } from './media-info-report.ts';

const mediainfo: Tool = {
  program: '/usr/bin/mediainfo',
  args: ['--Output=JSON', '/in'],
  secondsMax: 120,
  cpuSecondsMax: 30,
  memoryBytesMax: 1024 * 1024 * 1024,
  memoryNeed: { bytes: 64 * 1024 * 1024, isLong: false },
  outputBytesMax: 16 * 1024 * 1024,
};

/** What MediaInfo reads from a file that ffprobe can open; `null` if it reads nothing. */
export async function readMediaInfo(source: Source, probe: Probe | null): Promise<MediaInfo | null> {
  if (!probe) return null;
  const { exitCode, stdout } = await runTool(mediainfo, source);
  return exitCode === 0 ? readMediaInfoReport(stdout.toString()) : null;
}
