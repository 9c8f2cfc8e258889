import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findUnreleasable, sectionOf } from '#deploy/release/release-notes.ts';

const changelog =
  '# Changelog\n\n## 1.2.3 (2026-11-17)\n\n### For callers\n\n- New.\n\n## 1.2.2\n\n- Old.\n\n## 1.2.1\n';
const releasableFiles = {
  version: '1.2.3',
  chart: 'version: 1.2.3\nappVersion: 1.2.3\n',
  packages: { 'apps/cli/package.json': '1.2.3' },
  changelog,
  changesets: [],
};

describe('release notes', () => {
  test('are the section of the version in the changelog', () => {
    expect(sectionOf(changelog, '1.2.3')).toBe('### For callers\n\n- New.');
    expect(sectionOf(changelog, '1.2.2')).toBe('- Old.');
    expect(findUnreleasable('v1.2.3', releasableFiles)).toEqual([]);
  });

  test.each([
    ['a different tag', 'v1.2.4', {}, 'The tag is v1.2.4, but package.json has the version 1.2.3.'],
    ['no section', 'v1.2.0', { version: '1.2.0' }, 'CHANGELOG.md has no section "## 1.2.0", or it is empty.'],
    ['an empty section', 'v1.2.1', { version: '1.2.1' }, 'CHANGELOG.md has no section "## 1.2.1", or it is empty.'],
    [
      'an older chart',
      'v1.2.3',
      { chart: 'version: 1.2.2\n' },
      'Chart.yaml has version 1.2.2, and package.json 1.2.3.',
    ],
    ['an older image', 'v1.2.3', { chart: 'appVersion: 1.2.2\n' }, 'Chart.yaml has appVersion 1.2.2, and package.json'],
    [
      'an older package',
      'v1.2.3',
      { packages: { 'apps/cli/package.json': '1.2.2' } },
      'apps/cli/package.json has the version 1.2.2, and package.json 1.2.3.',
    ],
    ['pending changesets', 'v1.2.3', { changesets: ['a.md'] }, 'Run pnpm changeset version: .changeset has a.md.'],
  ])('are refused for a release with %s', (_, tag, changes, problem) => {
    expect(findUnreleasable(tag, { ...releasableFiles, ...changes }).join('\n')).toContain(problem);
  });

  test('are refused for the tag of a different version, with exit code 1 of the command', () => {
    const command = [join(root, 'deploy/release/release-notes.ts'), 'v0.0.0-none'];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('The tag is v0.0.0-none');
  });
});

describe('the release workflow', () => {
  const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  const workflow = parse(text) as {
    jobs: Record<string, { permissions?: Record<string, string>; needs?: string | string[] }>;
  };

  test('pins every action to a commit, with the version in a comment', () => {
    const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action as string);
    expect(actions.length).toBeGreaterThan(5);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  test('gives each job only the rights it needs', () => {
    const writes = Object.entries(workflow.jobs).map(([job, { permissions = {} }]) => [
      job,
      Object.keys(permissions).filter((name) => permissions[name] === 'write'),
    ]);
    expect(Object.fromEntries(writes)).toEqual({
      check: [],
      build: ['packages'],
      images: ['packages', 'id-token'],
      chart: ['packages', 'id-token'],
      packages: ['id-token'],
      release: ['contents'],
    });
    expect([...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)).toEqual([]);
  });

  test('publishes nothing before the tag, the versions and the gate have been checked', () => {
    const needsOf = (job: string) => [workflow.jobs[job]?.needs ?? []].flat();
    const reached = (job: string): string[] => [job, ...needsOf(job).flatMap(reached)];
    const unchecked = Object.keys(workflow.jobs).filter((job) => !reached(job).includes('check'));
    expect(unchecked).toEqual([]);
  });

  test('builds the images that the chart runs', () => {
    const { images } = parse(readFileSync(join(root, 'deploy/chart/values.yaml'), 'utf8'));
    expect([images.api.name, images.worker.name]).toEqual(['assay-api', 'assay-worker']);
    expect(text).toContain('assay-$image');
  });

  test('has shell code without syntax errors', () => {
    const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string }[] }> };
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run));
    for (const script of scripts) execFileSync('bash', ['-n'], { input: script });
  });

  test('refers only to files in deploy/ that exist', () => {
    const named = [...text.matchAll(/\bdeploy\/[\w./-]+/g)].map(([path]) => path);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
