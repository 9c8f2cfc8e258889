import { basename } from 'node:path';
import type { BuiltInProfile } from '@assay/contract/schemas/profiles/built-in.ts';
import { declarationFor } from '@assay/testing/media/declared-as.ts';
import { withSource } from '@assay/testing/media/video-source.ts';
import { runSidekicks } from '#run/run.ts';
import { sidekick } from '../sidekick.ts';

/** The result of the check, with the codes of its findings. */
export async function examine(path: string, profile: BuiltInProfile = 'ebu-r128', declaredAs = basename(path)) {
  const declared = declarationFor(declaredAs, profile);
  const { checks, findings } = await withSource(path, (source) => runSidekicks([sidekick], source, declared));
  const [check] = checks;
  if (!check) throw new Error('there is no result');
  const { outcome, coverage } = check;
  return { outcome, ...coverage, findings, ruleCodes: findings.map(({ ruleCode }) => ruleCode) };
}

export const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p'];

/** A grey video of a luma that an expression of ffmpeg's geq filter gives. */
export function greySource(luma: string, { size = '160x90', rate = 25, seconds = 2 } = {}): string[] {
  return ['-f', 'lavfi', '-i', `nullsrc=s=${size}:r=${rate}:d=${seconds},geq=lum='${luma}':cb=128:cr=128`];
}

/** The whole screen flashes four times a second. */
export const strobe = greySource('if(lt(mod(N\\,6)\\,3)\\,220\\,30)');
