import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { keepPaths, listChecks } from './bundle-plugins.ts';
import { examinerBundle } from './src/run/examiner/examiner-program.ts';

// `pnpm bundle`: bundles what an examiner process runs, unless these sources are already bundled.
const programs = [
  'packages/sidekicks/src/run/examiner/process',
  'packages/sidekicks/src/evidence/media/decode/observing-thread',
  'packages/sidekicks/src/evidence/media/decode/frame-thread',
];
const root = join(import.meta.dirname, '..', '..');
const bundle = examinerBundle();
if (!existsSync(bundle)) {
  const unfinished = `${bundle}.${process.pid}`;
  await build({
    cwd: root,
    input: Object.fromEntries(programs.map((program) => [program, `${program}.ts`])),
    platform: 'node',
    transform: { target: 'node24' },
    plugins: [keepPaths(root, bundle), listChecks()],
    output: {
      dir: unfinished,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      comments: false,
    },
  });
  // Older bundles stay, because a worker that is running may use them.
  try {
    renameSync(unfinished, bundle);
  } catch (error) {
    if (!existsSync(bundle)) throw error; // it exists if another command has made it in the meantime
    rmSync(unfinished, { recursive: true });
  }
}
