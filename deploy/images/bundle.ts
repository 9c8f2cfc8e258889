import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { keepPaths, listChecks } from '../../packages/sidekicks/bundle-plugins.ts';
import { copyPackages } from './copy-packages.ts';

// `node deploy/images/bundle.ts <folder>` bundles the service into plain JavaScript: one folder per image, with the
// packages that cannot be bundled. The second argument is the folder that the bundle will run in.

const root = join(import.meta.dirname, '..', '..');
const [target = 'dist', home = '/app'] = process.argv.slice(2);

// These packages load a program, a native library or a thread by its path, and Temporal's must exist only once.
const unbundledPackages = [/^@temporalio\//, 'dbmate'];

const programs = ['deploy/images/check-health', 'apps/server/src/main'];
const images = {
  api: {
    programs: [...programs, 'deploy/images/provision', 'deploy/images/first-workspace'],
    packages: ['@temporalio/client', '@temporalio/common', 'dbmate'],
  },
  worker: {
    programs: [
      ...programs,
      'packages/sidekicks/src/run/examiner/process',
      'packages/sidekicks/src/evidence/media/decode/observing-thread',
      'packages/sidekicks/src/evidence/media/decode/frame-thread',
    ],
    packages: ['@temporalio/activity', '@temporalio/client', '@temporalio/common', '@temporalio/worker', 'dbmate'],
  },
};

for (const [image, { programs, packages }] of Object.entries(images)) {
  const folder = join(target, image);
  rmSync(folder, { recursive: true, force: true });
  await build({
    cwd: root,
    input: Object.fromEntries(programs.map((program) => [program, `${program}.ts`])),
    platform: 'node',
    external: unbundledPackages,
    transform: { target: 'node24' },
    plugins: [keepPaths(home), listChecks()],
    output: { dir: folder, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', comments: false },
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'assay', private: true, type: 'module' }));
  copyPackages(join(root, 'apps/server'), packages, join(folder, 'node_modules'));
}
