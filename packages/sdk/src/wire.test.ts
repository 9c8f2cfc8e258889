import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@assay/contract/routes.ts';
import { describe, expect, test } from 'vitest';
import { makeVerdictSource } from '../make-verdict.ts';
import { makeWire } from '../make-wire.ts';
import { operations } from './wire.generated.ts';

const readSourceFile = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const sourceFiles = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.(test|generated)\.ts$/.test(name),
);

describe('the SDK client', () => {
  test('matches the current contract', () => {
    expect(readSourceFile('wire.generated.ts'), 'run pnpm sdk-wire').toBe(makeWire());
    expect(readSourceFile('verdict.generated.ts'), 'run pnpm sdk-wire').toBe(makeVerdictSource());
  });

  test('has every operation of the contract', () => {
    expect(Object.keys(operations)).toEqual(Object.keys(routes));
  });

  test.each(Object.keys(routes))('has a method that calls the endpoint %s', (name) => {
    expect(sourceFiles.filter((source) => readSourceFile(source).includes(`call('${name}'`))).not.toEqual([]);
  });

  test('has no dependencies', () => {
    const manifest = JSON.parse(readSourceFile('../package.json'));
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest[kind] ?? {}).toEqual({});
    }
  });
});
