import { S3, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { openPartSigner } from './sign-parts.ts';

const secretAccessKey = 'not a secret/+=';
const longLived = { accessKeyId: 'EXAMPLE', secretAccessKey };
const temporary = { ...longLived, sessionToken: 'a/token+=&partNumber=1&' };
const key = "workspace/ad (1) é&?#%+'!*&partNumber=1&.mp4";
const signingDate = new Date(Date.UTC(2026, 0, 1));

function signerOf(endpoint: string | undefined, forcePathStyle: boolean, credentials: typeof longLived) {
  const s3 = new S3({ region: 'eu-north-1', endpoint: endpoint as string, forcePathStyle, credentials });
  let runCount = 0;
  return {
    runs: () => runCount,
    sign(PartNumber: number) {
      runCount++;
      const command = new UploadPartCommand({ Bucket: 'media', Key: key, UploadId: 'id/+=.~1', PartNumber });
      return getSignedUrl(s3, command, { signingDate, expiresIn: 4500 });
    },
  };
}

const partNumbers = [1, 2, 10, 1024];
const signAll = (sign: (partNumber: number) => string | Promise<string>) => Promise.all(partNumbers.map(sign));

test.each([
  ['AWS', undefined, false, longLived],
  ['AWS with a session token', undefined, false, temporary],
  ['a store with a port and the bucket in the path', 'http://127.0.0.1:7070', true, longLived],
  ['a store below a path', 'https://media.example.com/store', true, temporary],
])('URLs of parts in %s equal those of the library, which runs only once', async (_, endpoint, isPathStyle, by) => {
  const library = signerOf(endpoint, isPathStyle, by);
  const expected = await signAll(library.sign);
  const before = library.runs();
  expect(await signAll(await openPartSigner(library.sign, secretAccessKey))).toEqual(expected);
  expect(library.runs() - before).toBe(1);
});

test('URLs of parts are signed by the library if it uses other credentials', async () => {
  const { sign } = signerOf(undefined, false, temporary);
  expect(await signAll(await openPartSigner(sign, 'replaced meanwhile'))).toEqual(await signAll(sign));
});
