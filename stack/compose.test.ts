import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openInstance } from './instance.ts';
import { versionInSetup } from './versions.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { services } = parse(read('compose.yaml'));
const { ports } = openInstance('dev');

describe('compose.yaml starts the same parts as the stack', () => {
  test.each([
    ['postgres', /^postgres:(.+)$/, majorOf(installed('/usr/lib/postgresql/15/bin/postgres'), 1)],
    ['redis', /^redis:(.+)$/, majorOf(installed('/usr/bin/redis-server'), 2)],
    ['temporal', /^temporalio\/server:(.+)$/, versionInSetup('TEMPORAL_VERSION')],
    ['temporal-schema', /^temporalio\/admin-tools:(.+)$/, versionInSetup('TEMPORAL_VERSION')],
    ['temporal-ui', /^temporalio\/ui:(.+)$/, versionInSetup('TEMPORAL_UI_VERSION')],
  ])('%s in the same version', (service, image, version) => {
    expect(image.exec(services[service].image)?.[1]).toBe(version);
  });

  test('azurite in the same version', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    expect(services.azurite.build.dockerfile_inline).toContain(`azurite@${devDependencies.azurite}\n`);
  });

  test.each([
    ['postgres', ports.postgres],
    ['redis', ports.redis],
    ['azurite', ports.azurite],
    ['temporal', ports.temporal],
    ['temporal-ui', ports.temporalUi],
  ])('%s at the same address, on loopback only', (service, port) => {
    expect(services[service].ports).toEqual([expect.stringMatching(`^127\\.0\\.0\\.1:${port}:`)]);
  });
});

function installed(program: string): string {
  return /\d+\.\d+(\.\d+)?/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[0] ?? '';
}

function majorOf(version: string, parts: number): string {
  return version.split('.').slice(0, parts).join('.');
}
