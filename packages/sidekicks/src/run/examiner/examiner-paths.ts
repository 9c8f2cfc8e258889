import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ExaminerPaths } from '@assay/jail/examiner/examiner-jail.ts';
import { builtWebpToApng } from '#evidence/media/decode/webp-to-apng.ts';

const root = realpathSync(join(import.meta.dirname, '..', '..', '..', '..', '..'));

/** Node.js and the code that an examiner loads. `chunks` exists in the images only. */
export function examinerPaths(): ExaminerPaths {
  const code = ['package.json', 'packages', 'node_modules', 'chunks'].map((name) => join(root, name));
  return { executable: [realpathSync(process.execPath), builtWebpToApng()], readable: code };
}
