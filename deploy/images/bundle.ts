import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
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
    plugins: [keepPaths(), listChecks()],
    output: { dir: folder, entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js', comments: false },
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'assay', private: true, type: 'module' }));
  copyPackages(join(root, 'apps/server'), packages, join(folder, 'node_modules'));
}

/**
 * Some modules find files relative to their own path. In the bundle their code is elsewhere, so each gets its original
 * path.
 */
function keepPaths(): Plugin {
  return {
    name: 'keep-paths',
    transform(code, id) {
      const path = relative(root, id);
      if (!/^(apps|packages)\/.*\.ts$/.test(path) || !code.includes('import.meta.')) return undefined;
      const inImage = join(home, path);
      return code
        .replaceAll(/(new URL\('\.\/[\w-]+|join\(import\.meta\.dirname, '[\w-]+)\.ts'/g, "$1.js'") // `programs`
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(inImage)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(inImage).href));
    },
  };
}

/** Replaces the search for the folders of the checks with static imports, which a bundle needs. */
function listChecks(): Plugin {
  const search = /await Promise\.all\(\s*readdirSync\(folder\)[\s\S]*?\n\)/;
  return {
    name: 'list-checks',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (relative(root, id) !== 'packages/sidekicks/src/sidekick/catalogue.ts') return undefined;
        if (!search.test(code)) throw new Error(`${id} no longer searches its folder as this plugin expects`);
        const folder = join(dirname(id), '..', 'checks');
        const names = readdirSync(folder).sort();
        const imports = names.map(
          (name, i) => `import { sidekick as check${i} } from '../checks/${name}/sidekick.ts';\n`,
        );
        return imports.join('') + code.replace(search, `[${names.map((_, i) => `check${i}`).join(', ')}]`);
      },
    },
  };
}
