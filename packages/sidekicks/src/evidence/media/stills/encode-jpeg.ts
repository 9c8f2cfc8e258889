import { withAnonymousFile } from '@assay/jail/anonymous-file.ts';
import { runTool, type Tool } from '@assay/jail/run-tool.ts';
import type { Source } from '@assay/jail/source/source.ts';
import type { Picture } from './picture.ts';

/** Of ffmpeg's encoder, from 2 (best) to 31: about 40 KB at 640 pixels. */
export const jpegQuality = 4;
const limits = {
  secondsMax: 20,
  cpuSecondsMax: 20,
  memoryBytesMax: 1024 * 1024 * 1024,
  outputBytesMax: 4 * 1024 * 1024,
} as const;

/** Null if the encoder fails. */
export async function encodeJpeg({ width, height, rgb }: Picture, source: Source): Promise<Uint8Array | null> {
  const tool: Tool = {
    program: '/usr/bin/ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file,pipe'],
      ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', '/in', '-frames:v', '1'],
      // Full chroma, or a saturated red would be blurred.
      ...['-vf', 'format=yuvj444p', '-c:v', 'mjpeg', '-q:v', `${jpegQuality}`, '-f', 'image2pipe', 'pipe:1'],
    ],
    ...limits,
  };
  const { exitCode, stdout } = await withAnonymousFile(rgb, (fd) => runTool(tool, { ...source, fd }));
  return exitCode === 0 && stdout.length > 0 ? stdout : null;
}
