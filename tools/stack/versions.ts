import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// `./setup` installs the parts, so it is the only place that names their versions.
const setupScript = readFileSync(join(import.meta.dirname, '..', '..', 'setup'), 'utf8');

export function versionInSetup(name: string): string {
  const version = new RegExp(`^${name}=(\\S+)$`, 'm').exec(setupScript)?.[1];
  if (!version) throw new Error(`setup does not define ${name}`);
  return version;
}
