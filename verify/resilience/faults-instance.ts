import { readConfig } from '@assay/server/config/config.ts';
import { storageParts } from '@assay/stack/control.ts';
import { type Instance, openInstance } from '@assay/stack/instance.ts';
import type { Part } from '@assay/stack/part.ts';
import { inject } from 'vitest';

/**
 * The stack instance whose parts tests may stop, and its storage, of the same kind as in the other tests of this run.
 */
export function openFaultsInstance(): { instance: Instance; storage: Part } {
  const storage = readConfig(inject('environment')).OBJECT_STORE;
  return { instance: { ...openInstance('faults'), storage }, storage: storageParts[storage] };
}
