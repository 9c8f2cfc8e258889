import { readdirSync } from 'node:fs';

/** The files in a folder for scratch files. The folder of anonymous files, which stays, is empty. */
export function scratchFilesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}
