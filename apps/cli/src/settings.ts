import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';

export type Environment = Record<string, string | undefined>;
export type Flags = { apiKey?: string; baseUrl?: string };
export type Settings = { baseUrl: string; baseUrlFrom: string; apiKey: string | undefined; apiKeyFrom: string };
type SavedSettings = { baseUrl?: string | undefined; apiKey?: string | undefined };

export const defaultBaseUrl = 'http://127.0.0.1:8080';

/**
 * Precedence: flags, environment variables, settings saved by `assay login`. The settings file is read only when
 * needed. `ignoresInvalidFile` is for `assay login`, which replaces the file.
 */
export function readSettings(flags: Flags, environment: Environment, { ignoresInvalidFile = false } = {}): Settings {
  const path = configPath(environment);
  const isNeeded = !(flags.baseUrl || environment.ASSAY_BASE_URL) || !(flags.apiKey || environment.ASSAY_API_KEY);
  const saved = isNeeded ? readSavedSettings(path, ignoresInvalidFile) : {};
  const [baseUrl, baseUrlFrom] = firstSetValue(
    [flags.baseUrl, '--base-url'],
    [environment.ASSAY_BASE_URL, 'ASSAY_BASE_URL'],
    [saved.baseUrl, path],
    [defaultBaseUrl, 'the default'],
  );
  const [apiKey, apiKeyFrom] = firstSetValue(
    [flags.apiKey, '--api-key'],
    [environment.ASSAY_API_KEY, 'ASSAY_API_KEY'],
    [saved.apiKey, path],
  );
  const address = parseBaseUrl(baseUrl ?? defaultBaseUrl, baseUrlFrom);
  if (apiKeyFrom === path && saved.baseUrl && address !== parseBaseUrl(saved.baseUrl, path)) {
    // A saved key is never sent to a different address, because that address may be mistyped.
    throw new Failure('usage', `The saved API key belongs to ${saved.baseUrl} and is not sent to ${address}.`, {
      next: `Pass a key with --api-key, or sign in: assay login --base-url ${address}`,
    });
  }
  return { baseUrl: address, baseUrlFrom, apiKey: apiKey?.trim(), apiKeyFrom };
}

export function configPath({ XDG_CONFIG_HOME }: Environment): string {
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'assay', 'config.json');
}

/** Writes the file with permissions that allow only the user to read it from the moment it is created. */
export function saveSettings(path: string, saved: Required<SavedSettings>): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

function readSavedSettings(path: string, ignoresInvalidFile: boolean): SavedSettings {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Failure('usage', `Cannot read ${path}: ${(cause as Error).message}`, {
      next: 'Check the permissions of the file, or delete it and sign in again: assay login',
      cause,
    });
  }
  try {
    const saved = JSON.parse(text) as Record<string, unknown>;
    const textOf = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
    return { baseUrl: textOf(saved.baseUrl), apiKey: textOf(saved.apiKey) };
  } catch (cause) {
    if (ignoresInvalidFile) return {};
    throw new Failure('usage', `${path} is not valid JSON.`, { next: 'Sign in again: assay login', cause });
  }
}

function firstSetValue(...places: [string | undefined, string][]): [string | undefined, string] {
  return places.find(([value]) => value) ?? [undefined, 'not set'];
}

function parseBaseUrl(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return text.replace(/\/+$/, '');
  throw new Failure('usage', `Invalid URL from ${from}: ${text}`, {
    next: `Use http:// or https:// without a path, such as --base-url ${defaultBaseUrl}`,
  });
}
