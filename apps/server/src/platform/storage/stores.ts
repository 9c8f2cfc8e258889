import type { z } from 'zod';
import { azure } from './azure/store.ts';
import type { Backend } from './backend.ts';
import { s3 } from './s3/store.ts';
import type { Store } from './store.ts';

/** The object stores by their name in OBJECT_STORE and in the database. */
export const stores = { azure, s3 };
export const storeVariables = { ...azure.variables, ...s3.variables };

export type StoreKind = keyof typeof stores;
export const storeKinds = Object.keys(stores) as [StoreKind, ...StoreKind[]];

/** The settings of one store. */
export type StoreSettings = ReturnType<(typeof stores)[StoreKind]['settingsOf']>;

/** Where a blob is stored. It stays there when the configured store, account or container changes. */
export type BlobLocation = {
  store: StoreKind;
  /** Azure: the name of the storage account. S3: the host, with its port, that callers use. */
  account: string;
  /** S3: the bucket. */
  container: string;
};

/** The description of a store, typed for code that handles every store in the same way. */
export const storeOf = (kind: StoreKind): Store<z.ZodRawShape, StoreSettings> => stores[kind];

export function homeOf(settings: StoreSettings): BlobLocation {
  return { store: settings.store, ...storeOf(settings.store).homeOf(settings) };
}

export function endpointOf(settings: StoreSettings): string {
  return storeOf(settings.store).endpointOf(settings);
}

export function openBackend(settings: StoreSettings): Promise<Backend> {
  return storeOf(settings.store).open(settings);
}
