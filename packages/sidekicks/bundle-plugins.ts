import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

const root = join(import.meta.dirname, '..', '..');
const catalogue = 'packages/sidekicks/src/sidekick/catalogue.ts';
/** How a module names a program or thread beside it. */
const programPath = /(new URL\('\.\/[\w-]+|join\(import\.meta\.dirname, '[\w-]+)\.ts'(, import\.meta\.url)?/g;

/**
 * Some modules find files relative to their own path. In the bundle their code is elsewhere, so each gets the path that
 * it has below `home`, and programs that it names the path that they have below `programsHome`.
 */
export function keepPaths(home: string, programsHome = home): Plugin {
  const setPaths = (code: string, path: string) =>
    code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
  return {
    name: 'keep-paths',
    transform(code, id) {
      const path = relative(root, id);
      if (!/^(apps|packages)\/.*\.ts$/.test(path) || !code.includes('import.meta.')) return undefined;
      const withPrograms = code.replaceAll(programPath, (text) =>
        setPaths(text.replace(".ts'", ".js'"), join(programsHome, path)),
      );
      return setPaths(withPrograms, join(home, path));
    },
  };
}

/** Replaces the search for the folders of the checks with static imports, which a bundle needs. */
export function listChecks(): Plugin {
  const search = /await Promise\.all\(\s*readdirSync\(checksFolder\)[\s\S]*?\n\)/;
  return {
    name: 'list-checks',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (relative(root, id) !== catalogue) return undefined;
        if (!search.test(code)) throw new Error(`${id} no longer searches its folder as this plugin expects`);
        const folder = join(dirname(id), '..', 'checks');
        const names = readdirSync(folder)
          .sort()
          .filter((name) => existsSync(join(folder, name, 'sidekick.ts')));
        const imports = names.map(
          (name, i) => `import { sidekick as check${i} } from '../checks/${name}/sidekick.ts';\n`,
        );
        return imports.join('') + code.replace(search, `[${names.map((_, i) => `check${i}`).join(', ')}]`);
      },
    },
  };
}
