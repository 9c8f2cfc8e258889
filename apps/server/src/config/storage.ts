import { z } from 'zod';
import { type StoreSettings, storeKinds, storeOf, stores, storeVariables } from '#platform/storage/stores.ts';

const defaultStore = 'azure';

/** The variables that choose and configure the object stores. */
export const storageVariables = { OBJECT_STORE: z.enum(storeKinds).default(defaultStore), ...storeVariables };

export const storageSecrets = storeKinds.flatMap((kind) => storeOf(kind).secrets);

const parsedVariables = z.object(storageVariables);
export type StorageConfig = z.output<typeof parsedVariables>;

/**
 * The chosen store's required variables must be set. If a variable of another store is set, so that media in it stay
 * available, all of that store's required variables must be set.
 */
export function findUnsetStorage(given: NodeJS.ProcessEnv): string[] {
  const { OBJECT_STORE: chosen = defaultStore } = given;
  const firstSet = (names: readonly string[]) => names.find((name) => given[name] !== undefined);
  const unset = (names: readonly string[], because?: string) =>
    names
      .filter((name) => given[name] === undefined)
      .map((name) => `${name}: is not set${because ? `, but ${because} is` : ''}.`);
  return storeKinds.flatMap((kind) => {
    const { variables, required, together } = storeOf(kind);
    const because = kind === chosen ? undefined : firstSet(Object.keys(variables));
    const isUsed = kind === chosen || because !== undefined;
    const pairs = together.flatMap((names) => {
      const one = firstSet(names);
      return one ? unset(names, one) : [];
    });
    return [...(isUsed ? unset(required, because) : []), ...pairs];
  });
}

export const isLoopback = (host: string) => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(host);

/** In production, media must be encrypted in transit. */
export function findPlainStorage(config: StorageConfig): string[] {
  const isPlain = (url: string) => url !== '' && !url.startsWith('https:');
  return Object.values(stores).flatMap(({ urls: { service, callers } }) => {
    const problems: string[] = [];
    if (isPlain(config[callers] || config[service]))
      problems.push(`${callers}: must be https, as callers upload to it (http only with ASSAY_MODE=development).`);
    if (isPlain(config[service]) && !isLoopback(new URL(config[service]).hostname))
      problems.push(`${service}: must be https, as media is sent to it over the network (http only to this machine).`);
    return problems;
  });
}

export function findStorageConflicts(config: StorageConfig): string[] {
  return storeKinds.flatMap((kind) => storeOf(kind).findConflicts(config));
}

/** The settings of the configured stores, the one for new media first. */
export function storeSettingsOf(config: StorageConfig): [StoreSettings, ...StoreSettings[]] {
  const { OBJECT_STORE: chosen } = config;
  const values: Record<string, unknown> = config;
  const others = storeKinds.filter(
    (kind) => kind !== chosen && storeOf(kind).required.every((name) => values[name] !== ''),
  );
  return [stores[chosen].settingsOf(config), ...others.map((kind) => stores[kind].settingsOf(config))];
}
