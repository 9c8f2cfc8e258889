import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
const program = join('packages', 'sidekicks', 'src', 'run', 'examiner', 'process');
const sources = ['packages/{contract,jail,sidekicks}/src/**/*.ts', 'packages/sidekicks/bundle-*.ts', 'pnpm-lock.yaml'];

/**
 * The program of an examiner: the bundle of these sources, which `pnpm bundle` makes, or the source itself if there is
 * none. The bundle starts in a sixth of the time, because the source is 400 files whose types Node must strip: the jail
 * lets an examiner write no compile cache.
 */
export function examinerProgram(checkout = root): string {
  const bundled = `${join(examinerBundle(checkout), program)}.js`;
  return existsSync(bundled) ? bundled : join(import.meta.dirname, 'process.ts');
}

/** The folder of the bundle. Its name contains a hash of the sources, so that an outdated bundle is never used. */
export function examinerBundle(checkout = root): string {
  const files = globSync(sources, { cwd: checkout }).filter((file) => !file.endsWith('.test.ts'));
  const texts = files.toSorted().map((file) => `${file}\n${readFileSync(join(checkout, file), 'utf8')}`);
  const name = `examiner-${hash('sha256', [checkout, ...texts].join('\n')).slice(0, 16)}`;
  return join(checkout, 'packages', 'sidekicks', 'dist', name);
}
