import { Assay, type Me } from '@assay/sdk';
import type { Command } from 'commander';
import { Failure } from './failure.ts';
import { formatJson, type Output } from './output.ts';
import { type Environment, type Flags, readSettings, type Settings } from './settings.ts';

/** What the program is given to work with. */
export type Surroundings = { environment: Environment; out: Output; err: Output; signal: AbortSignal };

export type Session = Surroundings & {
  assay: Assay;
  settings: Settings;
  isJson: boolean;
  /** The one document of `--json`, or what a person reads. */
  show(value: unknown, text: () => string): void;
};

type GlobalFlags = Flags & { json?: boolean };

/** A client of the workspace whose key is in the settings. */
export function openSession(command: Command, surroundings: Surroundings): Session {
  const settings = readSettings(flagsOf(command), surroundings.environment);
  if (!settings.apiKey) {
    throw new Failure('usage', 'There is no API key.', {
      next: 'Sign in: assay login. Or set ASSAY_API_KEY, or pass --api-key.',
    });
  }
  return createSession(command, surroundings, settings, settings.apiKey);
}

export function createSession(
  command: Command,
  surroundings: Surroundings,
  settings: Settings,
  apiKey: string,
): Session {
  const isJson = flagsOf(command).json === true;
  return {
    ...surroundings,
    assay: new Assay({ apiKey, baseUrl: settings.baseUrl }),
    settings,
    isJson,
    show: (value, text) => surroundings.out.line(isJson ? formatJson(value) : text()),
  };
}

export function flagsOf(command: Command): GlobalFlags {
  return command.optsWithGlobals<GlobalFlags>();
}

/** Of what only a sandbox key may do: said before anything is begun. */
export async function requireSandbox({ assay, signal }: Session): Promise<Me> {
  const me = await assay.me({ signal, maxRetries: 1 });
  if (me.mode === 'sandbox') return me;
  throw new Failure('refused', `${me.keyPrefix}… is a live key. This needs a sandbox key.`, {
    next: 'Pass the sandbox key of your workspace by --api-key or ASSAY_API_KEY, or sign in with it: assay login',
  });
}

/** Items of every page, up to so many. */
export async function take<Item>(items: AsyncIterable<Item>, countMax = Number.POSITIVE_INFINITY): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= countMax) break;
  }
  return taken;
}
