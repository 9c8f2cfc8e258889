import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// `./setup` installs the parts, so it alone says which version; the stack reads it there.
const setupScript = readFileSync(join(import.meta.dirname, '..', 'setup'), 'utf8');

export function versionInSetup(name: string): string {
  const version = new RegExp(`^${name}=(\\S+)$`, 'm').exec(setupScript)?.[1];
  if (!version) throw new Error(`setup does not say ${name}`);
  return version;
}
