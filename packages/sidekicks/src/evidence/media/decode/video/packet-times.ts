import { AssetFailure } from '@assay/contract/asset-failures.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import { packetListLimits } from '../../packets/packets.ts';
import { demuxerArguments } from '../../probe/probe.ts';

/** A packet of a video stream: when its picture is shown, and whether it is a key frame. */
export type PacketTime = { seconds: number; endSeconds: number; isKey: boolean };

/** `pts,dts,duration,flags`; `N/A` for what the container does not have. */
const packetLine = /^([-\d.]+|N\/A),([-\d.]+|N\/A),([-\d.]+|N\/A),([A-Z_]+)/gm;

/** Lists the packets of a video stream in file order, without decoding them; null if that is not possible. */
export async function readPacketTimes(source: Source, demuxer: string, stream: number): Promise<PacketTime[] | null> {
  try {
    const { exitCode, stdout } = await runTool(ffprobe(demuxer, stream), source);
    return exitCode === 0 ? parsePacketTimes(stdout.toString('latin1')) : null;
  } catch (failure) {
    // ffprobe exceeded a limit: what was decoded is valid without the list.
    if (failure instanceof AssetFailure) return null;
    throw failure;
  }
}

function ffprobe(demuxer: string, stream: number): Tool {
  return {
    program: '/usr/bin/ffprobe',
    args: [
      ...['-v', 'error', '-protocol_whitelist', 'file,pipe', ...demuxerArguments(demuxer)],
      ...['-select_streams', `${stream}`],
      ...['-show_entries', 'packet=pts_time,dts_time,duration_time,flags', '-of', 'csv=p=0', '/in'],
    ],
    ...packetListLimits,
  };
}

/** Packets that the container excludes from the presentation are left out: no player shows them. */
export function parsePacketTimes(csv: string): PacketTime[] {
  const packets: PacketTime[] = [];
  for (const [, pts = '', dts = '', duration = '', flags = ''] of csv.matchAll(packetLine)) {
    const seconds = Number(pts === 'N/A' ? dts : pts); // AVI has no times of presentation
    if (flags.includes('D') || Number.isNaN(seconds)) continue;
    packets.push({ seconds, endSeconds: seconds + (Number(duration) || 0), isKey: flags.startsWith('K') });
  }
  return packets;
}
