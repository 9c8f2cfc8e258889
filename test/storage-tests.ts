import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { slow, unit } from './tiers.ts';

const root = join(import.meta.dirname, '..');

/** Support for tests that read storage, write to it, stop it, or put a proxy in front of it. */
const storageSupport = /\/support\/(blobs|faults-instance|large-blobs|storage-proxy)\.ts'/;

/** More tests whose outcome may depend on the store, although they upload only through the API. */
const alsoOnS3 = [
  'apps/server/src/uploads/{*,retention/*}.test.ts',
  'apps/server/src/submissions/{get-submission,versions/versions}.test.ts',
  'apps/server/src/issues/get-issue.test.ts',
];

/** Tests that use both stores themselves. */
export const onBothStores = [
  'apps/server/src/{handles/blobs,uploads/move}/*.test.ts',
  'packages/sdk/src/large-file.test.ts', // at full size
  'test/{browser,deletion}.test.ts',
];

/** Too long for the gate: `.ci/nightly 'everything on S3'` runs them. What they say about storage, a shorter test says too. */
export const nightlyOnS3 = [
  'packages/sdk/src/{big-upload,runtimes}.test.ts', // uploads to both stores: `uploads/`
  'test/{cut-off-worker,partitions,stopped-worker}.test.ts', // storage out of reach: `test/faults`
  'test/deadly-file.test.ts', // only stores a file
  'test/submission-races.test.ts', // overwritten while it is read: `conformance-races`
];

export const isIn = (patterns: string[]) => (file: string) => patterns.some((pattern) => matchesGlob(file, pattern));

/** Test files that use storage directly, found by what they import. A new one is found by itself. */
export function findStorageTests(): string[] {
  const files = globSync('{apps/*,packages/*,test}/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  });
  return files.filter((file) => storageSupport.test(readFileSync(join(root, file), 'utf8'))).sort();
}

/** The service tests that the gate runs a second time, on S3. */
export const s3 = [
  ...findStorageTests().filter((file) => !isIn([...unit, ...slow, ...onBothStores, ...nightlyOnS3])(file)),
  ...alsoOnS3,
];
