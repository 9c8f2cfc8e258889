import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';

export type Environment = Record<string, string | undefined>;
export type Flags = { apiKey?: string; baseUrl?: string };
export type Settings = { baseUrl: string; baseUrlFrom: string; apiKey: string | undefined; apiKeyFrom: string };
type Saved = { baseUrl?: string | undefined; apiKey?: string | undefined };

export const defaultBaseUrl = 'http://127.0.0.1:8080';

/**
 * Flags win over the environment, and that over what `assay login` saved, which is only read when they leave something
 * open. Whoever is about to replace a broken file may read it as an empty one.
 */
export function readSettings(flags: Flags, environment: Environment, { isBrokenEmpty = false } = {}): Settings {
  const path = configPath(environment);
  const isOpen = !(flags.baseUrl || environment.ASSAY_BASE_URL) || !(flags.apiKey || environment.ASSAY_API_KEY);
  const saved = isOpen ? readSaved(path, isBrokenEmpty) : {};
  const [baseUrl, baseUrlFrom] = firstOf(
    [flags.baseUrl, '--base-url'],
    [environment.ASSAY_BASE_URL, 'ASSAY_BASE_URL'],
    [saved.baseUrl, path],
    [defaultBaseUrl, 'the default'],
  );
  const [apiKey, apiKeyFrom] = firstOf(
    [flags.apiKey, '--api-key'],
    [environment.ASSAY_API_KEY, 'ASSAY_API_KEY'],
    [saved.apiKey, path],
  );
  const address = addressOf(baseUrl ?? defaultBaseUrl, baseUrlFrom);
  if (apiKeyFrom === path && saved.baseUrl && address !== addressOf(saved.baseUrl, path)) {
    // A key goes nowhere but where it was saved for: a mistyped address must not learn it.
    throw new Failure('usage', `The saved key is for ${saved.baseUrl}, and is not sent to ${address}.`, {
      next: `Pass the key of ${address} by --api-key, or sign in there: assay login --base-url ${address}`,
    });
  }
  return { baseUrl: address, baseUrlFrom, apiKey: apiKey?.trim(), apiKeyFrom };
}

export function configPath({ XDG_CONFIG_HOME }: Environment): string {
  return join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'assay', 'config.json');
}

/** Readable by nobody else, at no moment. */
export function saveSettings(path: string, saved: Required<Saved>): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const scratch = `${path}.${process.pid}`;
  writeFileSync(scratch, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(scratch, path);
}

function readSaved(path: string, isBrokenEmpty: boolean): Saved {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Failure('usage', `${path} cannot be read: ${(cause as Error).message}`, {
      next: `See to its rights, or delete it and sign in again: assay login`,
      cause,
    });
  }
  try {
    const saved = JSON.parse(text) as Record<string, unknown>;
    const textOf = (value: unknown) => (typeof value === 'string' && value ? value : undefined);
    return { baseUrl: textOf(saved.baseUrl), apiKey: textOf(saved.apiKey) };
  } catch (cause) {
    if (isBrokenEmpty) return {};
    throw new Failure('usage', `${path} is no JSON.`, { next: 'Sign in again: assay login', cause });
  }
}

function firstOf(...places: [string | undefined, string][]): [string | undefined, string] {
  return places.find(([value]) => value) ?? [undefined, 'nowhere'];
}

function addressOf(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return text.replace(/\/+$/, '');
  throw new Failure('usage', `${text} (from ${from}) is no web address.`, {
    next: `Give it with http:// or https://, and without a path: --base-url ${defaultBaseUrl}`,
  });
}
