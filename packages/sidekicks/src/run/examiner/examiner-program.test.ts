import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examinerBundle, examinerProgram } from './examiner-program.ts';

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'assay-checkout-'));
  write('packages/sidekicks/src/run/run.ts', 'first');
});
afterEach(() => rmSync(checkout, { recursive: true }));

function write(file: string, content = ''): void {
  const path = join(checkout, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Makes a bundle of the current sources, and returns its program. */
function bundle(): string {
  const bundled = join(examinerBundle(checkout), 'packages/sidekicks/src/run/examiner/process.js');
  write(bundled.slice(checkout.length));
  return bundled;
}

test('an examiner runs the bundle of its sources if there is one', () => {
  expect(examinerProgram(checkout)).toMatch(/\/process\.ts$/);
  const bundled = bundle();
  expect(examinerProgram(checkout)).toBe(bundled);
});

test.each([
  'packages/sidekicks/src/run/run.ts',
  'packages/jail/src/jail.ts',
  'packages/contract/src/limits.ts',
  'packages/sidekicks/bundle-plugins.ts',
  'pnpm-lock.yaml',
])('an examiner does not run a bundle made before %s changed', (file) => {
  bundle();
  write(file, 'second');
  expect(examinerProgram(checkout)).toMatch(/\/process\.ts$/);
});

test('an examiner runs a bundle made before a test changed', () => {
  const bundled = bundle();
  write('packages/sidekicks/src/run/run.test.ts', 'second');
  expect(examinerProgram(checkout)).toBe(bundled);
});
