import type { Config } from '@assay/server/config/config.ts';
import { afterAll } from 'vitest';
import { openFlakyAddress } from '../faults/flaky-proxy.ts';

/** The storage of the test instance, which callers reach by a proxy with this fault; the service reaches it directly. */
export async function openFlakyStorage(config: Config, fault: string) {
  const isS3 = config.OBJECT_STORE === 's3';
  const proxy = await openFlakyAddress(new URL(isS3 ? config.S3_ENDPOINT : config.BLOB_URL).origin, fault);
  afterAll(proxy.close);
  const environment: Record<string, string> = isS3
    ? { S3_PUBLIC_ENDPOINT: proxy.url }
    : { BLOB_PUBLIC_URL: `${proxy.url}/${config.BLOB_ACCOUNT}` };
  return { environment, seen: proxy.seen };
}
