import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { recognise } from '../../file/format/recognise.ts';
import { demuxerArguments, demuxerOf } from '../probe/probe.ts';
import type { Probe } from '../probe/probe-report.ts';
import { mainStreams } from '../probe/streams.ts';
import { type Packets, readPacketList } from './packet-list.ts';

/** The limits of a run of ffprobe that lists the packets of one stream. */
export const packetListLimits = {
  secondsMax: 600,
  cpuSecondsMax: 120,
  memoryBytesMax: 1024 * 1024 * 1024,
  memoryNeed: { bytes: 64 * 1024 * 1024, isLong: false },
  // Six hours at 120 frames a second are 2.6 million lines.
  outputBytesMax: 128 * 1024 * 1024,
} as const;

/**
 * Sizes and groups of pictures of the main video stream, without decoding it. `null` without a video stream, or if no
 * packet of it can be read.
 */
export async function readPackets(source: Source, probe: Probe | null): Promise<Packets | null> {
  const demuxer = demuxerOf(await recognise(source.bytes));
  const stream = probe && mainStreams(probe).video;
  if (!demuxer || !stream) return null;
  const { exitCode, stdout } = await runTool(ffprobe(demuxer, stream.index), source);
  return exitCode === 0 ? readPacketList(stdout.toString()) : null;
}

function ffprobe(demuxer: string, stream: number): Tool {
  return {
    program: '/usr/bin/ffprobe',
    args: [
      ...['-v', 'error', '-protocol_whitelist', 'file,pipe', ...demuxerArguments(demuxer)],
      ...['-select_streams', `${stream}`, '-show_entries', 'packet=pts,size,flags', '-of', 'csv=p=0', '/in'],
    ],
    ...packetListLimits,
  };
}
