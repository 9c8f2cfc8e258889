import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { stores } from '@assay/testing/storage/stores.ts';
import { expect, test } from 'vitest';
import { expectNumbers } from './expect-cost.ts';

// Counted from the start, because the libraries of the stores keep these functions when they are loaded.
const counts = { hmacs: 0, hashes: 0 };
const { createHmac, createHash } = crypto;
crypto.createHmac = (...args) => {
  counts.hmacs++;
  return createHmac(...args);
};
crypto.createHash = (...args) => {
  counts.hashes++;
  return createHash(...args);
};
syncBuiltinESMExports(); // modules that import these functions get them too

/** By store: the signature of S3 covers the part number, that of Azure does not. */
const digestsPerUrl = { azure: 0, s3: 1 };

test.each(stores)(
  'a URL for a part in $name costs no more than its signature, however many are requested',
  async ({ environment, settings: { store } }) => {
    const api = await openTestApi({ ...liftedLimits, ...environment });
    const client = api.client((await api.makeWorkspace()).liveKey);
    const { body } = await client.post('/uploads/url', { filename: 'a.mp4', contentType: 'video/mp4' });
    const digestsOf = async (partCount: number) => {
      const before = { ...counts };
      const { status } = await client.post('/uploads/parts', { blobPath: body.blobPath, partCount });
      expect(status).toBe(200);
      return { hmacs: counts.hmacs - before.hmacs, hashes: counts.hashes - before.hashes };
    };
    await digestsOf(1); // begins the upload
    const [few, many] = [await digestsOf(24), await digestsOf(1024)];
    // Rounded, because a request may also look up its key again.
    const perUrl = (name: keyof typeof few) => Math.round((many[name] - few[name]) / 1000);
    const expected = { hmacs: digestsPerUrl[store], hashes: digestsPerUrl[store] };
    expectNumbers('a URL', { hmacs: perUrl('hmacs'), hashes: perUrl('hashes') }, expected);
  },
);
