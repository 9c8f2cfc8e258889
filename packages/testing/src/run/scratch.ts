import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the scratch files of a service, which is removed after the file's tests. */
export function openScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-scratch-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
