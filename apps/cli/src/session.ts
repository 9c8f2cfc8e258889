import { Assay, type Me } from '@assay/sdk';
import type { Command } from 'commander';
import { Failure } from './failure.ts';
import { formatJson, type Output } from './output/output.ts';
import { type Environment, type Flags, readSettings, type Settings } from './settings.ts';

export type Context = { environment: Environment; out: Output; err: Output; signal: AbortSignal };

export type Session = Context & {
  assay: Assay;
  settings: Settings;
  isJson: boolean;
  /** Prints the value with `--json`, otherwise the text. */
  print(value: unknown, text: () => string): void;
};

type GlobalFlags = Flags & { json?: boolean };

/** Creates a session with the API key from the settings; fails if there is none. */
export function openSession(command: Command, context: Context): Session {
  const settings = readSettings(flagsOf(command), context.environment);
  if (!settings.apiKey) {
    throw new Failure('usage', 'No API key found.', {
      next: 'Sign in with assay login, set ASSAY_API_KEY, or pass --api-key.',
    });
  }
  return createSession(command, context, settings, settings.apiKey);
}

export function createSession(command: Command, context: Context, settings: Settings, apiKey: string): Session {
  const isJson = flagsOf(command).json === true;
  return {
    ...context,
    assay: new Assay({ apiKey, baseUrl: settings.baseUrl }),
    settings,
    isJson,
    print: (value, text) => context.out.line(isJson ? formatJson(value) : text()),
  };
}

export function flagsOf(command: Command): GlobalFlags {
  return command.optsWithGlobals<GlobalFlags>();
}

/** For commands that need a sandbox key: fails before anything is sent. */
export async function requireSandbox({ assay, signal }: Session): Promise<Me> {
  const me = await assay.me({ signal, maxRetries: 1 });
  if (me.mode === 'sandbox') return me;
  throw new Failure('refused', `${me.keyPrefix}… is a live key. A sandbox key is required.`, {
    next: 'Pass the sandbox key with --api-key or ASSAY_API_KEY, or sign in with it: assay login',
  });
}

/** Collects the items of all pages, at most `countMax`. */
export async function takeItems<Item>(
  items: AsyncIterable<Item>,
  countMax = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= countMax) break;
  }
  return taken;
}
