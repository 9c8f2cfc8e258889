import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for a service's scratch files, which is removed after the tests of the file. */
export function openScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-scratch-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
