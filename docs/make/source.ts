import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export const sourcePath = (path: string): string => join(root, path);
export const readSource = (path: string): string => readFileSync(sourcePath(path), 'utf8');
