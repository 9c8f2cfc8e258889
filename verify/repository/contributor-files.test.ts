import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildGoTool, type GoTool, pathOfGoTool } from '@assay/stack/go-tool.ts';
import { versionInSetup } from '@assay/stack/versions.ts';
import { root } from '@assay/testing/run/root.ts';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const actionlint: GoTool = {
  name: 'actionlint',
  version: versionInSetup('ACTIONLINT_VERSION'),
  module: 'github.com/rhysd/actionlint',
  main: './cmd/actionlint',
};

describe('files for contributors', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');

  test('.nvmrc and .editorconfig agree with package.json and biome.json', () => {
    expect(read('.nvmrc').trim()).toBe(JSON.parse(read('package.json')).devDependencies.node);
    const { indentStyle, lineWidth } = JSON.parse(read('biome.json')).formatter;
    expect(read('.editorconfig')).toContain(`indent_style = ${indentStyle}\nindent_size = 2\n`); // 2 is Biome's default
    expect(read('.editorconfig')).toContain(`max_line_length = ${lineWidth}\n`);
  });

  const workflows = ['gate.yml', 'nightly.yml', 'release.yml'].map((name) => `.github/workflows/${name}`);
  test('the list of tested GitHub workflows is complete', () => {
    const names = readdirSync(join(root, '.github/workflows'));
    expect(names.map((name) => `.github/workflows/${name}`).sort()).toEqual(workflows);
  });

  test.each(workflows)('%s passes actionlint and has only read permissions', (file) => {
    buildGoTool(actionlint);
    expect(parse(read(file)).permissions).toEqual({ contents: 'read' });
    execFileSync(pathOfGoTool(actionlint), ['-shellcheck=', '-pyflakes=', join(root, file)], { encoding: 'utf8' });
  });

  test.each(['bug', 'check-result', 'feature'])('every field of the issue form %s has an id and a label', (name) => {
    const { body } = parse(read(`.github/ISSUE_TEMPLATE/${name}.yml`));
    const isIncomplete = ({ type, id, attributes }: Record<string, unknown>) =>
      type !== 'markdown' && !(id && (attributes as { label?: string }).label);
    expect(body.filter(isIncomplete)).toEqual([]);
  });

  // A page names paths relative to the root or to one of these folders.
  const bases = [
    '',
    'apps/server/src/',
    'apps/server/src/modules/',
    'packages/',
    'packages/contract/src/',
    'packages/sidekicks/src/',
    'verify/',
  ];
  const built = ['apps/server/dist/workflows.js'];
  test.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/style.md', 'verify/README.md'])(
    'every file and folder that %s names exists',
    (page) => {
      const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
      const isThere = (name: string) => {
        const [beginning = ''] = name.replace(/\/$/, '').split('*');
        const end = name.includes('*') ? '' : '[/.\\n]'; // `verify/resilience/faults` means faults.test.ts
        return bases.some((base) => new RegExp(`^${RegExp.escape(base + beginning)}${end}`, 'm').test(files));
      };
      const prose = read(page).replace(/^```[\s\S]*?^```/gm, '');
      const names = [...prose.matchAll(/`(\w[\w.*-]*(?:\/[\w.*-]+)+\/?)`/g)].map(([, name = '']) => name);
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !isThere(name) && !built.includes(name))).toEqual([]);
    },
  );

  test('every link to a file in SUPPORT.md, CODE_OF_CONDUCT.md, CHANGELOG.md and the pull request template works', () => {
    const pages = ['SUPPORT.md', 'CODE_OF_CONDUCT.md', 'CHANGELOG.md', '.github/pull_request_template.md'];
    const linksOf = (page: string) =>
      [...read(page).matchAll(/\]\(([^)#]+)/g)].map(([, to]) => join(dirname(page), `${to}`));
    expect(pages.flatMap(linksOf).filter((to) => !existsSync(join(root, to)))).toEqual([]);
  });
});
