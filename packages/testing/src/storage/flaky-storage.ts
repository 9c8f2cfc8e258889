import type { Config } from '@assay/server/config/config.ts';
import { stores } from '@assay/server/platform/storage/stores.ts';
import { afterAll } from 'vitest';
import { openFlakyAddress } from '../faults/flaky-proxy.ts';
import { storageUrlOf } from './blobs.ts';

/** The test instance’s storage. Callers reach it through a proxy with this fault, and the service directly. */
export async function openFlakyStorage(config: Config, fault: string) {
  const url = storageUrlOf(config);
  const { origin } = new URL(url);
  const proxy = await openFlakyAddress(origin, fault);
  afterAll(proxy.close);
  const environment = { [stores[config.OBJECT_STORE].urls.callers]: url.replace(origin, proxy.url) };
  return { environment, seen: proxy.seen };
}
