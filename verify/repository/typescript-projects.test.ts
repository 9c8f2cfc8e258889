import { execFileSync } from 'node:child_process';
import { basename, dirname, join, relative } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { expect, test } from 'vitest';
import { files, sources, textOf } from './sources.ts';

const projectFiles = files.filter((file) => basename(file) === 'tsconfig.json').map(dirname);

test('`pnpm typecheck` checks every TypeScript file', () => {
  const withoutScript = projectFiles.filter(
    (project) => !JSON.parse(textOf.get(join(project, 'package.json')) ?? '{}').scripts?.typecheck,
  );
  expect(withoutScript).toEqual([]);
  const checked = new Set(
    projectFiles
      .flatMap((project) =>
        execFileSync('pnpm', ['exec', 'tsc', '-p', project, '--listFilesOnly'], { cwd: root, encoding: 'utf8' }).split(
          '\n',
        ),
      )
      .map((path) => relative(root, path)),
  );
  expect(sources.filter((file) => !checked.has(file))).toEqual([]);
});
