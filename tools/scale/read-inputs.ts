import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { type Measured, readMeasured } from '#bench/cost/measured.ts';
import type { Growth } from './plan.ts';

const growthFile = join(root, 'bench/growth/growth.json');

/** The committed measurements. The sizes of tables are missing until `pnpm growth` has been run. */
export function readInputs(): { measured: Measured; growth: Growth | undefined } {
  const growth = existsSync(growthFile) ? (JSON.parse(readFileSync(growthFile, 'utf8')) as Growth) : undefined;
  return { measured: readMeasured(), growth };
}
