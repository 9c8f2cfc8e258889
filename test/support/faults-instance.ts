import { inject } from 'vitest';
import { storageParts } from '../../stack/control.ts';
import { type Instance, openInstance } from '../../stack/instance.ts';
import type { Part } from '../../stack/part.ts';

/** The instance whose parts may be stopped, and its storage: the same kind as that of the other tests in this run. */
export function openFaultsInstance(): { instance: Instance; storage: Part } {
  const storage = inject('environment').OBJECT_STORE === 's3' ? 's3' : 'azure';
  return { instance: { ...openInstance('faults'), storage }, storage: storageParts[storage] };
}
